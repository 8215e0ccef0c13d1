"use strict";
const form = document.getElementById("filters");
if (form) {
  const main = document.getElementById("findings");
  const articles = [...main.querySelectorAll("article")];

  const group = () => {
    const sections = new Map();
    for (const article of articles) {
      const name = article.dataset[form.elements.group.value];
      if (!sections.has(name)) {
        const section = document.createElement("section");
        section.append(document.createElement("h2"));
        section.firstChild.textContent = name;
        sections.set(name, section);
      }
      sections.get(name).append(article);
    }
    const names = [...sections.keys()];
    if (form.elements.group.value === "rule") names.sort();
    main.replaceChildren(...names.map((name) => sections.get(name)));
  };

  const chosen = (name) => {
    const boxes = [...form.querySelectorAll(`input[name=${name}]`)];
    return (value) => !boxes.length || boxes.some((box) => box.checked && box.value === value);
  };

  const filter = () => {
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severity = chosen("severity");
    const verdict = chosen("verdict");
    let shown = 0;
    for (const article of articles) {
      const { file, rule } = article.dataset;
      const text = `${file} ${rule} ${article.textContent}`.toLowerCase();
      article.hidden = !(severity(article.dataset.severity) && verdict(article.dataset.verdict)
        && words.every((word) => text.includes(word)));
      shown += !article.hidden;
    }
    for (const section of main.children) {
      section.hidden = !section.querySelector("article:not([hidden])");
    }
    document.getElementById("count").textContent = `${shown} of ${articles.length} shown`;
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => { group(); filter(); });
  group();
  filter();
}
