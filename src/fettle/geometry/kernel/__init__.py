"""The geometry kernel: everything that touches OCP lives here."""
