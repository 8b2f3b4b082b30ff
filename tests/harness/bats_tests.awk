# Prints the tier, the file and the name of each test of bats files, separated by tabs: "full", or the tier that a tag
# of the test or of its file names ("# bats test_tags=release" before the test, "# bats file_tags=quick").
FNR == 1 { file_tags = test_tags = "" }
match($0, /^[[:blank:]]*#[[:blank:]]*bats[[:blank:]]+file_tags=/) { file_tags = file_tags "," substr($0, RLENGTH + 1) }
match($0, /^[[:blank:]]*#[[:blank:]]*bats[[:blank:]]+test_tags=/) { test_tags = test_tags "," substr($0, RLENGTH + 1) }
# The same pattern as bats has.
/^[[:blank:]]*@test[[:blank:]]+.*[^[:blank:]][[:blank:]]+\{/ {
    tags = file_tags test_tags ","
    gsub(/[[:blank:]]/, "", tags)
    name = $0
    sub(/^[[:blank:]]*@test[[:blank:]]+["']?/, "", name)
    sub(/["']?[[:blank:]]+\{.*/, "", name)
    print (tags ~ /,release,/ ? "release" : tags ~ /,quick,/ ? "quick" : "full") "\t" FILENAME "\t" name
    test_tags = ""
}
