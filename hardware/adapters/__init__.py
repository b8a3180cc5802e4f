"""Tables of every kind behind one small interface (`base.Table`): the open line, a key pad, a recorded trace."""

from hardware.adapters.base import Table, open_table, register

__all__ = ["Table", "open_table", "register"]
