"""Prints "passed failed" of a meson JUnit file; an unreadable or empty one counts as a failure."""
import sys
import xml.etree.ElementTree as ET

cases = [case for case in ET.parse(sys.argv[1]).iter("testcase") if case.find("skipped") is None]
failed = sum(1 for case in cases if case.find("failure") is not None or case.find("error") is not None)
print(len(cases) - failed, failed if cases else 1)
