import torch


class Body(torch.nn.Module):
    def __init__(self, joints=8):
        super().__init__()
        self.register_buffer("shape_dirs", torch.randn(10, joints * 3))
        self.register_buffer("pose_dirs", torch.randn(9, joints * 3))

    def forward(self, orient, pose, betas):
        return (betas @ self.shape_dirs + torch.cat([orient, pose], 1) @ self.pose_dirs).view(len(betas), -1, 3)


def camera_fitting_loss(joints, translation, initial, joints_2d, conf):
    projected = (joints + translation.unsqueeze(1))[..., :2]
    return (conf * ((projected - joints_2d) ** 2).sum(-1)).mean() + 100 * ((translation - initial) ** 2).mean()


class SMPLify:
    def __init__(self, step_size=1e-2, num_iters=10):
        self.step_size = step_size
        self.num_iters = num_iters
        self.smpl = Body()

    def __call__(self, init_pose, init_betas, init_cam_t, keypoints_2d):
        camera_translation = init_cam_t.clone()
        joints_2d = keypoints_2d[:, :, :2]
        joints_conf = keypoints_2d[:, :, -1]
        body_pose = init_pose[:, 3:].detach().clone()
        global_orient = init_pose[:, :3].detach().clone()
        betas = init_betas.detach().clone()

        body_pose.requires_grad = False
        betas.requires_grad = False
        global_orient.requires_grad = True
        camera_translation.requires_grad = True
        camera_opt_params = [global_orient, camera_translation]
        camera_optimizer = torch.optim.Adam(camera_opt_params, lr=self.step_size, betas=(0.9, 0.999))
        for i in range(self.num_iters):
            joints = self.smpl(global_orient, body_pose, betas)
            loss = camera_fitting_loss(joints, camera_translation, init_cam_t, joints_2d, joints_conf)
            camera_optimizer.zero_grad()
            loss.backward()
            camera_optimizer.step()

        camera_translation.requires_grad = False
        body_pose.requires_grad = True
        betas.requires_grad = True
        body_optimizer = torch.optim.Adam([body_pose, betas, global_orient], lr=self.step_size)
        for i in range(self.num_iters):
            joints = self.smpl(global_orient, body_pose, betas)
            loss = camera_fitting_loss(joints, camera_translation, init_cam_t, joints_2d, joints_conf)
            body_optimizer.zero_grad()
            loss.backward()
            body_optimizer.step()
        pose = torch.cat([global_orient, body_pose], dim=-1).detach()
        return pose, betas.detach(), camera_translation


smplify = SMPLify()
pose, betas, translation = smplify(torch.zeros(2, 9), torch.zeros(2, 10), torch.zeros(2, 3), torch.rand(2, 8, 3))
print(pose.abs().sum())
