"""Language models: one way of asking them a module, what it cost, and how often a day it may happen."""
