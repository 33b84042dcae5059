"""The command: send the active shape, paint its faces by verdict, list the findings."""

from __future__ import annotations

import FreeCAD
import FreeCADGui
from PySide import QtGui

from fettle_freecad import verdict
from fettle_freecad.service import Service, ServiceError
from fettle_freecad.shapes import step_bytes

PREFERENCES = "User parameter:BaseApp/Preferences/Mod/Fettle"


def paint(part, result: dict, process: str) -> None:
    """Colors the part's faces in the 3D view."""
    colors = verdict.face_colors(result, process, len(part.Shape.Faces))
    part.ViewObject.DiffuseColor = [(*color, 0.0) for color in colors]


class CheckPart:
    def GetResources(self) -> dict:
        return {
            "MenuText": "Check manufacturability",
            "ToolTip": "Send the selected part to Fettle and show its findings",
        }

    def IsActive(self) -> bool:
        return FreeCAD.ActiveDocument is not None

    def Activated(self) -> None:
        chosen = [one for one in FreeCADGui.Selection.getSelection() if hasattr(one, "Shape")]
        if not chosen:
            QtGui.QMessageBox.information(None, "Fettle", "Select one part with a solid shape first.")
            return
        preferences = FreeCAD.ParamGet(PREFERENCES)
        service = Service(preferences.GetString("Url", "http://127.0.0.1:8000"), preferences.GetString("Key", ""))
        process = preferences.GetString("Process", "cnc:3-axis")
        part = chosen[0]
        try:
            result = service.analyze(f"{part.Label}.step", step_bytes(part.Shape), FreeCAD.Console.PrintMessage)
        except ServiceError as error:
            QtGui.QMessageBox.warning(None, "Fettle", str(error))
            return
        paint(part, result, process)
        self.panel = FindingsPanel(part, result, process)
        FreeCADGui.Control.showDialog(self.panel)


class FindingsPanel:
    """Task panel: one row per finding; choosing a row selects its faces."""

    def __init__(self, part, result: dict, process: str) -> None:
        self._part, self._result = part, result
        self.form = QtGui.QWidget()
        self.form.setWindowTitle("Fettle")
        layout = QtGui.QVBoxLayout(self.form)
        self._process = QtGui.QComboBox()
        self._process.addItems(verdict.processes(result))
        self._process.setCurrentText(process)
        self._list = QtGui.QListWidget()
        layout.addWidget(self._process)
        layout.addWidget(self._list)
        self._process.currentTextChanged.connect(self._show)
        self._list.currentRowChanged.connect(self._select)
        self._show(process)

    def _show(self, process: str) -> None:
        self._rows = verdict.findings(self._result, process)
        self._list.clear()
        self._list.addItems([f"{row['severity']}: {row['message']}" for row in self._rows])
        paint(self._part, self._result, process)

    def _select(self, row: int) -> None:
        FreeCADGui.Selection.clearSelection()
        if 0 <= row < len(self._rows):
            faces = [f"Face{fid}" for fid in self._rows[row]["related_fids"]]
            FreeCADGui.Selection.addSelection(self._part, faces)
