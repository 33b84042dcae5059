// Written by docs/generate_features.py; edit the color in src/fettle/recognize/kinds, not here.

export const KIND_COLORS: Readonly<Record<string, string>> = {
  HOLE: "#486cb4",
  BOSS: "#e48418",
  SLOT: "#18846c",
  FIN: "#d83018",
  POCKET: "#8484fc",
  PROTRUSION: "#f0f018",
  ROUND: "#fcb478",
  FILLET: "#3c486c",
  BEND: "#841818",
  WALL: "#d4d9df",
  SLAB: "#a8b4fc",
  CHAMFER: "#3018b4",
  STEP: "#5424fc",
};
