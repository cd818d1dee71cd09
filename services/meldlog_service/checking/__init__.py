"""Does a variant keep the promises of the hooks? Games are played and every promise is tried; `meldlog check` asks.

`planning` says which games, `setups` names each by a token, `playing` plays it, `invariants` has a module for each kind
of promise, `watching` knows which hook is at work, `shrinking` makes a fault short, `running` spreads games over cores.
"""
