"""Registers the Fettle workbench. Command classes live in a module: FreeCAD hangs on those defined here."""

import FreeCADGui


class FettleWorkbench(FreeCADGui.Workbench):
    MenuText = "Fettle"
    ToolTip = "Manufacturability of the active part"

    def Initialize(self):
        from fettle_freecad.command import CheckPart

        FreeCADGui.addCommand("Fettle_CheckPart", CheckPart())
        self.appendToolbar("Fettle", ["Fettle_CheckPart"])
        self.appendMenu("Fettle", ["Fettle_CheckPart"])

    def GetClassName(self):
        return "Gui::PythonWorkbench"


FreeCADGui.addWorkbench(FettleWorkbench())
