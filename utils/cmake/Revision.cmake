# Writes OUTPUT: the revision of the sources in SOURCE, as GIT tells it. Empty
# where they are not a checkout of their own (an unpacked archive).
set(revision "")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} describe --always --abbrev=12 --match=v*
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(WRITE ${OUTPUT} "#define CIF_REVISION \"${revision}\"\n")
