# How the tests are run. Substitutions beyond lit's own:
#   %exit1 %exit2 %exit3   the command after it must exit with just this status
#   %src                   the source tree
#   %corpus                the folder of published models (feature: corpus)
#   %unit                  the unit test binary
#   %ltsmin                runs a command that finds LTSmin (feature: ltsmin)
#   %pins                  explores a model by cif-pins, in a stand-in for LTSmin
# CIF_CHECK_ROUNDTRIP=1 in the environment makes every tool write, read and
# compare each module in both of its forms (feature: roundtrip).
import glob
import os
import shutil

import lit.formats

config.name = "CIF"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [
    ".aut", ".bpmn", ".cfsm", ".cift", ".cp", ".ioc", ".md", ".test",
]
config.excludes = ["Inputs", "node_modules", "CMakeLists.txt", "lit.cfg.py", "Unit.md"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.cif_binary_dir, "test")

source = config.cif_source_dir
bin_dir = os.path.join(config.cif_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
for name in ["CIF_CHECK_ROUNDTRIP", "ASAN_OPTIONS", "UBSAN_OPTIONS", "CI",
             "CIF_MUTANT", "CIF_REACHED", "GTEST_FAIL_FAST"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
if os.environ.get("CIF_CHECK_ROUNDTRIP"):
    config.available_features.add("roundtrip")
if config.cif_z3:
    config.available_features.add("z3")
if shutil.which("cvc5"):
    config.available_features.add("cvc5")
if config.cif_sanitize:
    config.available_features.add("sanitize")
else:
    # Plugins and installed archives of a sanitized build need its runtime.
    config.available_features.add("install")
    # test/CMakeLists.txt leaves these unit tests out of a sanitized build.
    config.available_features.add("long-tests")

for status in ["1", "2", "3"]:
    config.substitutions.append(
        ("%exit" + status,
         "'%s' '%s/utils/expect-exit' %s" % (config.cif_python, source, status))
    )
config.substitutions += [
    ("%src", source),
    ("%unit", os.path.join(bin_dir, "cif-unit-tests")),
    ("%pins", "'%s' '%s'" % (os.path.join(bin_dir, "cif-pins-host"),
                             os.path.join(config.cif_binary_dir, "test",
                                          "cif-pins-test.so"))),
    ("%python", "'%s'" % config.cif_python),
    ("%cmake", config.cif_cmake),
    ("%cpack", os.path.join(os.path.dirname(config.cif_cmake), "cpack")),
    ("%build", config.cif_binary_dir),
]

corpus = os.environ.get(
    "CIF_CORPUS", os.path.join(source, os.pardir, "shared", "corpus")
)
config.substitutions.append(("%corpus", os.path.abspath(corpus)))
if os.path.isdir(corpus):
    config.available_features.add("corpus")

if all(shutil.which(tool) for tool in ["dpkg", "dpkg-shlibdeps", "pkg-config"]):
    config.available_features.add("dpkg")
if shutil.which("rsvg-convert"):
    config.available_features.add("rsvg")
if shutil.which("spin") and shutil.which("gcc"):
    config.available_features.add("spin")
if shutil.which("valgrind") and not config.cif_sanitize:
    config.available_features.add("valgrind")
# TLC, where somebody says where it is, or has put it in the usual place.
tlc = os.environ.get("CIF_TLC", "/usr/share/java/tla2tools.jar")
if os.path.exists(tlc) and shutil.which("java"):
    config.available_features.add("tlc")
    config.substitutions.append(("%tlc", tlc))
if all(shutil.which(tool) for tool in ["mcrl22lps", "lps2lts", "ltscompare"]):
    config.available_features.add("mcrl2")
# LTSmin, where cif-pins was built and the engines are.
ltsmin = os.path.join(os.path.dirname(config.ltsmin), "bin") if config.ltsmin else ""
if os.path.exists(os.path.join(ltsmin, "pins2lts-sym")) and shutil.which("mpirun"):
    config.available_features.add("ltsmin")
    config.substitutions.append(
        ("%cif-pins", os.path.join(config.cif_modules, "cif-pins.so")))
    # mpirun does not like to be root; in containers it often is.
    config.substitutions.append(
        ("%ltsmin", "env 'PATH=%s' OMPI_ALLOW_RUN_AS_ROOT=1 "
         "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1"
         % os.pathsep.join([ltsmin, config.environment["PATH"]])))
    if os.path.exists(os.path.join(ltsmin, "pnml2lts-seq")):
        config.available_features.add("pnml2lts")
if shutil.which("xmllint"):
    config.available_features.add("xmllint")

if "NOTFOUND" not in config.cif_studio:
    config.available_features.add("studio")

# The browser tests; utils/install-browser-deps installs what they need.
browser_modules = os.path.join(config.test_source_root, "Browser", "node_modules")
if os.path.isdir(browser_modules) and all(
    shutil.which(tool) for tool in ["chromium", "node"]
):
    config.available_features.add("browser")
    if os.path.isdir(os.path.join(browser_modules, "axe-core")):
        config.available_features.add("axe")
    if os.path.isdir(os.path.join(browser_modules, "mermaid")):
        config.available_features.add("mermaid")

# The editors' tests, likewise.
editor_modules = os.path.join(config.test_source_root, "Editors", "node_modules")
if os.path.isdir(editor_modules) and shutil.which("node"):
    config.available_features.add("editors")
    node = "env 'NODE_PATH=%s' node" % editor_modules
    config.substitutions.append(("%node-editors", node))
    config.substitutions.append(
        ("%bpmnlint", "%s '%s/bpmnlint/bin/bpmnlint.js'" % (node, editor_modules)))

# Readers of modules in other languages: Debian's python3-flatbuffers, which is
# plain Python and serves any interpreter, and packages of the browser tests.
python_packages = "/usr/lib/python3/dist-packages"
if os.path.isdir(os.path.join(python_packages, "flatbuffers")):
    config.available_features.add("flatbuffers-python")
    config.substitutions.append(("%flatbuffers-path", python_packages))
    config.substitutions.append(
        ("%flatbuffers-python", "env 'PYTHONPATH=%s' '%s'"
         % (python_packages, config.cif_python)))
esbuild = os.path.join(browser_modules, ".bin", "esbuild")
if os.path.exists(esbuild) and shutil.which("node"):
    config.available_features.add("typescript")
    config.substitutions.append(
        ("%esbuild", "env 'NODE_PATH=%s' '%s'" % (browser_modules, esbuild)))
# Those that run state machines: XState of the browser tests, and Qt in Debian's
# python3-pyside2.qtscxml, which is for Debian's own interpreter.
if os.path.isdir(os.path.join(browser_modules, "xstate")) and shutil.which("node"):
    config.available_features.add("xstate")
    config.substitutions.append(
        ("%node-xstate", "env 'NODE_PATH=%s' node" % browser_modules))
if glob.glob(os.path.join(python_packages, "PySide2", "QtScxml*.so")):
    config.available_features.add("qtscxml")
    config.substitutions.append(("%qt-python", "/usr/bin/python3"))
