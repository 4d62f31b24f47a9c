"""Runs a program that uses one of the frameworks: run.py PROGRAM"""

import frameworks  # noqa: F401

import runpy
import sys

runpy.run_path(sys.argv[1], run_name="__main__")
