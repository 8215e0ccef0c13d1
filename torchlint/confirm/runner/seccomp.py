"""Which system calls a process may make: a filter that the kernel runs on each of them."""

from __future__ import annotations

import ctypes
import errno
import struct

from .kernel import KNOWN, X86, libc

_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_ARCHITECTURE = 0xC000003E if X86 else 0xC00000B7
_OTHER_TABLE = 0x40000000  # the calls of x32, which are those of x86-64 by other numbers
_INTERNET = (2, 10)
_NEW_NAMESPACES = 0x7E020000
_NUMBER, _FIRST_ARGUMENT = 0, 16

# By name the numbers on x86-64 and on aarch64, -1 where there is no such call.
_REFUSED = {
    # What looks into other processes and into the kernel, or leaves something there.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "syslog": (103, 116),
    # What would undo or go round the restrictions.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # What concerns the whole machine.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "vhangup": (153, 58),
}
# Programs do without these where a kernel is too old for them.
_UNKNOWN = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    # Memory that nothing would count.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
# Memory and queues that outlive the process, unless they have a namespace of their own.
_LASTING = {"shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180)}
# A driver makes a local socket and gives it a name; whom that could reach is out of reach.
_REACHING = {
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
}
_LOCAL = 1
_SOCKET, _CLONE = (41, 198), (56, 220)

Instruction = tuple[int, int, int, int]


def confine(own_network: bool, own_memory: bool, accelerated: bool = False) -> list[str]:
    """Refuse calls for good; what is held by that, in words.

    ``own_network`` and ``own_memory`` say that there are namespaces, in which no more is needed,
    ``accelerated`` that the driver of an accelerator is to work.
    """
    if not KNOWN:
        return []
    refused = _REFUSED | ({} if own_memory else _LASTING) | (_REACHING if accelerated else {})
    families = (_INTERNET if own_network else ()) + ((_LOCAL,) if accelerated else ())
    if not _install(_program(families, refused)):
        return []
    sockets = "reaching local sockets" if own_network else "network, reaching local sockets"
    return [f"{sockets} (seccomp)", "tracing, mounts, keys and kernel calls (seccomp)"]


def _number(of: tuple[int, int]) -> int:
    return of[0] if X86 else of[1]


def _program(families: tuple[int, ...], refused: dict[str, tuple[int, int]]) -> list[Instruction]:
    """What is refused, all else allowed; sockets of these families are."""
    program: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _ARCHITECTURE),
        (_ANSWER, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if X86:
        program += [(_AT_LEAST, 0, 1, _OTHER_TABLE), _failing(errno.EPERM)]
    for calls, error in ((refused, errno.EPERM), (_UNKNOWN, errno.ENOSYS)):
        for numbers in calls.values():
            if _number(numbers) >= 0:
                program += [(_EQUAL, 0, 1, _number(numbers)), _failing(error)]
    program += [
        (_EQUAL, 0, 3 + len(families), _number(_SOCKET)),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *((_EQUAL, len(families) - index, 0, family) for index, family in enumerate(families)),
        _failing(errno.EACCES),
        (_ANSWER, 0, 0, _ALLOW),
        (_EQUAL, 0, 3, _number(_CLONE)),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        _failing(errno.EPERM),
        (_ANSWER, 0, 0, _ALLOW),
    ]
    return program


def _failing(error: int) -> Instruction:
    return _ANSWER, 0, 0, _FAIL | error


def _install(program: list[Instruction]) -> bool:
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
    filters = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    whole = Program(len(program), ctypes.addressof(filters))
    done: int = libc().prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0)
    return done == 0
