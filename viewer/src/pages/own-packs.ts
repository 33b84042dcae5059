// Verdicts of the account's own packs that came after an analysis, below its headline.

interface OwnVerdicts {
  packs: { key: string; name: string; configurations: { name: string; severity: string; causes: string[] }[] }[];
}

export function mountOwnPacks(): void {
  const place = document.querySelector<HTMLElement>("[data-own-packs]");
  if (place) void show(place);
}

async function show(place: HTMLElement): Promise<void> {
  place.textContent = "Judging by your packs…";
  const answer = await fetch(place.dataset["ownPacks"]!, { headers: { Accept: "application/json" } });
  if (!answer.ok) {
    const { error } = (await answer.json()) as { error?: string };
    place.textContent = `Your packs could not be judged: ${error ?? answer.status}`;
    return;
  }
  const { packs } = (await answer.json()) as OwnVerdicts;
  const rows = packs.map((pack) => {
    const row = document.createElement("li");
    row.append(`${pack.name}: `);
    pack.configurations.forEach((one, k) => {
      const word = document.createElement("span");
      word.className = `word ${one.severity}`;
      word.textContent = one.severity;
      row.append(k > 0 ? ", " : "", `${one.name} `, word);
      if (one.causes.length > 0) row.append(` (${one.causes.slice(0, 2).join(" ")}${one.causes.length > 2 ? ` and ${one.causes.length - 2} more` : ""})`);
    });
    return row;
  });
  const list = document.createElement("ul");
  list.className = "plain";
  list.append(...rows);
  place.replaceChildren(list);
}
