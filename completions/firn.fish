# Completion of firn(1) for fish.
#
# Classes, properties and freezes come from the database on the command line. firn prints them in a
# few milliseconds; it changes nothing, and its errors are discarded.

set -g __firn_value_options --from --schema --class --key --index --unique --type --link --map --null --nullstr --skip-lines --delimiter --quote --comment --columns --decimal --encoding --format \
    --progress --errors --query-file --select --sort --limit --skip --at --parameter --params --timezone --output \
    --color --rows --width --depth --int64 --execute --input --batch --on-error --if-version \
    --wait --split --split-by --expires --note --sample --salvage --if-wasted --min-size --codec --shape --initial --since \
    --cursor-file --on-gap --ops --until --idle --timeout --max-memory --heartbeat --debounce --max-lag --exec --to --config -f -F -c -s -p -o -x -n

# Prints the words before the cursor that are neither options nor option values, the command first.
function __firn_words
    set -l last ''
    for word in (commandline -opc)[2..]
        if test -n "$last"
            set last ''
        else if contains -- $word $__firn_value_options
            set last $word
        else if not string match -qr '^-.' -- $word
            printf '%s\n' $word
        end
    end
end

# Prints the word at the cursor without its quotes.
function __firn_word
    set -l word (commandline -ct)
    if string match -qr '^[\'"]' -- $word
        string sub -s 2 -- $word
    else
        string unescape -- $word; or echo $word
    end
end

function __firn_needs_command
    set -l words (__firn_words)
    test (count $words) = 0
end

# Succeeds if the command is one of these.
function __firn_is
    set -l words (__firn_words)
    test (count $words) -gt 0; and contains -- $words[1] $argv
end

# Succeeds if this many words follow the command.
function __firn_behind
    set -l words (__firn_words)
    test (count $words) = (math $argv[1] + 1)
end

function __firn_has_option
    for word in (commandline -opc)
        contains -- $word $argv; and return
    end
    return 1
end

function __firn_file
    set -l words (__firn_words)
    set -q words[2]; or return 1
    string replace -r '^~/' "$HOME/" -- $words[2]
end

# Prints the classes of the database as text, with their properties below.
function __firn_schema
    set -l file (__firn_file)
    test -f "$file"; or return
    set -l program (commandline -opc)[1]
    command $program schema $file -f text 2>/dev/null
end

function __firn_classes
    __firn_schema | awk '/^[^ ]/ { print $1 "\tclass" }'
end

# Prints the class that the words before or at the cursor refer to.
function __firn_class
    set -l tokens (commandline -opc) (commandline -ct)
    for index in (seq (count $tokens))
        switch $tokens[$index]
            case -c --class
                set -q tokens[(math $index + 1)]; and echo $tokens[(math $index + 1)]; and return
            case '--class=*'
                string replace -- --class= '' $tokens[$index]; and return
        end
    end
    set -l words (__firn_words)
    set -l place 3
    test "$words[1]" = export; and set place 4
    set -q words[$place]; or set words[$place] (commandline -ct)
    if test "$words[1]" = write
        set words[$place] (commandline -ct)
    end
    string match -r '^[\'"]?([A-Za-z0-9_]+)' -- $words[$place] | tail -n 1
end

# Prints the paths that begin with the steps of $argv[1], such as plane.seats, starting at a class.
# Each path is prefixed with the text $argv[3].
function __firn_paths
    __firn_schema | awk -v path="$argv[1]" -v class="$argv[2]" -v before="$argv[3]" '
        /^[^ ]/ { owner = $1; next }
        /^  [^ ]/ {
            sub(/,$/, "", $2)
            names[owner] = names[owner] " " $1
            types[owner, $1] = $2
        }
        END {
            count = split(path, steps, ".")
            for (i = 1; i < count; i++) {
                class = types[class, steps[i]]
                sub(/^.*</, "", class)
                gsub(/[>?]/, "", class)
                begin = begin steps[i] "."
            }
            count = split(names[class], found, " ")
            for (i = 1; i <= count; i++)
                print before begin found[i] "\t" types[class, found[i]]
        }'
end

# Offers properties separated by commas, with an optional leading minus.
function __firn_list
    set -l word (string replace -r '^--?[a-z]+=' '' -- (commandline -ct))
    set -l last (string replace -r '^.*,-?|^-' '' -- $word)
    set -l before (string sub -l (math (string length -- $word) - (string length -- $last)) -- $word)
    __firn_paths "$last" (__firn_class) "$before"
end

function __firn_keys
    __firn_paths (commandline -ct) (__firn_class) ''
end

# Offers the parts of a query: its class first, then properties, and stages after a bar.
function __firn_query
    set -l word (__firn_word)
    set -l last (string replace -r '^.*[ (,|!]' '' -- $word)
    set -l before (string sub -l (math (string length -- $word) - (string length -- $last)) -- $word)
    set -l words (__firn_words)
    set -l place 2
    test "$words[1]" = export; and set place 3
    if test -z "$before"
        if test (count $words) = $place; or test "$words[1]" = write
            __firn_has_option -c --class; or begin
                __firn_classes
                return
            end
        end
    end
    if string match -qr '\|\s*$' -- $before
        printf '%s\tstage\n' $before{'SORT(','DISTINCT(','LIMIT(','SKIP(','select(','group(',count,exists,first,last,explain}
        test "$words[1]" = write; and printf '%s\tstage\n' $before{set,delete}
    end
    __firn_paths "$last" (__firn_class) "$before"
end

# Offers the parts of a change of firn alter: a verb, a class, a property.
function __firn_change
    set -l word (__firn_word)
    set -l last (string replace -r '^.*[ =]' '' -- $word)
    set -l before (string sub -l (math (string length -- $word) - (string length -- $last)) -- $word)
    if test -z "$before"
        printf '%s\n' add rename remove retype key inverse link index unique 'drop index'
    else if string match -q '*.*' -- $last
        set -l class (string replace -r '\..*' '' -- $last)
        __firn_paths (string replace -r '^[^.]*\.' '' -- $last) $class "$before$class."
    else
        __firn_schema | awk -v before="$before" '/^[^ ]/ { print before $1 "\tclass" }'
    end
end

function __firn_types
    set -l name (string match -r '^[^=]+=' -- (commandline -ct)); or return
    printf '%s\n' $name{Bool,Int,Int8,Int16,Int32,Float,Double,Decimal128,String,Data,Date,UUID,ObjectId,Any}
    printf '%s\n' $name{'List<','Set<','Map<'}
end

function __firn_freezes
    set -l file (__firn_file)
    test -f "$file"; or return
    set -l program (commandline -opc)[1]
    command $program freeze $file --list -f ndjson 2>/dev/null |
        sed -n 's/^{"v":1,"type":"freeze","name":"\([^"\\\\]*\)","version":\([0-9]*\).*/\1\tversion \2/p'
end

complete -c firn -f

complete -c firn -n __firn_needs_command -a create -d 'Create a database from CSV, TSV, JSON or a schema'
complete -c firn -n __firn_needs_command -a query -d 'Print the objects that match a query'
complete -c firn -n __firn_needs_command -a write -d 'Insert, change and delete objects'
complete -c firn -n __firn_needs_command -a observe -d 'Print changes to a query result as they are committed'
complete -c firn -n __firn_needs_command -a alter -d 'Change classes and properties'
complete -c firn -n __firn_needs_command -a export -d 'Export all objects, a class or a query result'
complete -c firn -n __firn_needs_command -a freeze -d 'Name a version, or copy it to a file'
complete -c firn -n __firn_needs_command -a log -d 'List the versions in the history, and what each changed'
complete -c firn -n __firn_needs_command -a diff -d 'Print the differences between two versions or databases'
complete -c firn -n __firn_needs_command -a compact -d 'Shrink a database file'
complete -c firn -n __firn_needs_command -a schema -d 'Print the classes and their properties'
complete -c firn -n __firn_needs_command -a stats -d 'Show sizes, encodings and versions'
complete -c firn -n __firn_needs_command -a check -d 'Verify a database'
complete -c firn -n __firn_needs_command -a repl -d 'Query and edit a database interactively'
complete -c firn -n __firn_needs_command -a completions -d 'Print the completion script for bash, zsh or fish'
complete -c firn -n __firn_needs_command -a sync -d 'Replicate a subset of a PostgreSQL database'
complete -c firn -n __firn_needs_command -a serve -d 'Answer HTTP requests, with live streams'
complete -c firn -n __firn_needs_command -a help -d 'Explain a command'

complete -c firn -n '__firn_is create' -l from -r -F -d 'An input'
complete -c firn -n '__firn_is create' -l schema -r -F -d 'The classes as JSON'
complete -c firn -n '__firn_is create' -s c -l class -x -d 'The name of the class'
complete -c firn -n '__firn_is create' -l key -x -d 'The property that identifies an object'
complete -c firn -n '__firn_is create' -l index -x -d 'Properties by which objects are found fast'
complete -c firn -n '__firn_is create' -l unique -x -d 'Properties whose values no two objects share'
complete -c firn -n '__firn_is create' -l if-missing -d 'Do nothing if the database already exists and has these classes'
complete -c firn -n '__firn_is create' -l dry-run -d 'Print the schema that would be used, and create nothing'
complete -c firn -n '__firn_is create' -l key-file -r -F -d 'The key of encrypted Realm files'
complete -c firn -n '__firn_is create' -l copy -d 'Read copies of Realm files'
complete -c firn -n '__firn_is create' -s f -l format -x -a 'auto text json swift' -d 'The format of the report'

complete -c firn -n '__firn_is query' -s F -l query-file -r -F -d 'Read the query from a file'
complete -c firn -n '__firn_is query' -s c -l class -x -a '(__firn_classes)' -d 'The class of a query that names no class'
complete -c firn -n '__firn_is query' -s s -l select -x -a '(__firn_list)' -d 'Print these properties'
complete -c firn -n '__firn_is query' -l sort -x -a '(__firn_list)' -d 'Sort by these properties'
complete -c firn -n '__firn_is query' -l limit -x -d 'Print at most this many objects'
complete -c firn -n '__firn_is query' -l skip -x -d 'Skip this many objects'
complete -c firn -n '__firn_is query' -l count -d 'Print only the number of objects'
complete -c firn -n '__firn_is query' -l params -r -F -d 'The values of all $NAME as a JSON object'
complete -c firn -n '__firn_is query' -l timeout -x -d 'Exit with 124 after this long'
complete -c firn -n '__firn_is query' -l max-memory -x -d 'Use a temporary file for what takes more memory'
complete -c firn -n '__firn_is query' -l explain -d 'Print the plan instead of running the query'
complete -c firn -n '__firn_is query' -l analyze -d 'Run the query, and print the plan and the cost'
complete -c firn -n '__firn_is query' -l stats -d 'Print the cost of the query on standard error'
complete -c firn -n '__firn_is query' -s e -l exit-status -d 'Exit with 1 if there are no rows'
complete -c firn -n '__firn_is query' -s 1 -l one -d 'Exit with 1 unless there is exactly one row'
complete -c firn -n '__firn_is query' -s f -l format -x -a 'auto table box line csv tsv ndjson json markdown html insert sql sqlite parquet arrow' -d 'The format of the rows'
complete -c firn -n '__firn_is query' -s o -l output -r -F -d 'Write to a file, which appears only when it is complete'
complete -c firn -n '__firn_is query' -l color -x -a 'auto always never' -d 'Use colours'
complete -c firn -n '__firn_is query' -s r -l raw -d 'Print the only column without quotes'
complete -c firn -n '__firn_is query' -s 0 -l null-terminated -d 'Like --raw, but end each value with a NUL'
complete -c firn -n '__firn_is query' -l null -x -d 'The text for null in table, csv, tsv and raw output'
complete -c firn -n '__firn_is query' -l no-header -d 'Omit the column names in table, csv and tsv'
complete -c firn -n '__firn_is query' -l rows -x -a 'all' -d 'Show this many rows of a table'
complete -c firn -n '__firn_is query' -l width -x -d 'The width of a table, in columns'
complete -c firn -n '__firn_is query' -l wrap -d 'Wrap long values of a table'

complete -c firn -n '__firn_is write' -s x -l execute -x -a '(__firn_query)' -d 'A query that ends with set or delete'
complete -c firn -n '__firn_is write' -s c -l class -x -a '(__firn_classes)' -d 'The class of records that name no class'
complete -c firn -n '__firn_is write' -l insert -d 'Insert objects, whose keys must be new'
complete -c firn -n '__firn_is write' -l upsert -d 'Insert new objects, and change existing ones'
complete -c firn -n '__firn_is write' -l update -d 'Change objects, which must exist'
complete -c firn -n '__firn_is write' -l replace -d 'Like --upsert, but set other properties to nil'
complete -c firn -n '__firn_is write' -l key -x -a '(__firn_keys)' -d 'The property that identifies an object'
complete -c firn -n '__firn_is write' -l input -x -a 'auto csv tsv json ndjson ops observe' -d 'The format of the inputs'
complete -c firn -n '__firn_is write' -l create -d 'Create the database and classes that do not exist'
complete -c firn -n '__firn_is write' -l add-properties -d 'Add an optional property for each field without one'
complete -c firn -n '__firn_is write' -l batch -x -d 'Commit after every N records, and report each commit'
complete -c firn -n '__firn_is write' -l cursor-file -r -F -d 'Store the stream position in this file'
complete -c firn -n '__firn_is create query write repl' -l on-error -x -a 'abort skip save=' -d 'How to handle an invalid record'
complete -c firn -n '__firn_is write' -l if-version -x -d 'Exit with 75 unless the database is at this version'
complete -c firn -n '__firn_is write' -l returning -d 'Print the written objects instead of the report'
complete -c firn -n '__firn_is write' -l safe -d 'Check the database first, and access no other file'

complete -c firn -n '__firn_is observe' -s c -l class -x -a '(__firn_classes)' -d 'The class of a query that names no class'
complete -c firn -n '__firn_is observe' -s s -l select -x -a '(__firn_list)' -d 'Print these properties, and only changes to them'
complete -c firn -n '__firn_is observe' -s f -l format -x -a 'auto table ndjson csv tsv' -d 'A live table, or the format of the lines'
complete -c firn -n '__firn_is observe' -l shape -x -a 'events rows index' -d 'The unit of a line'
complete -c firn -n '__firn_is observe' -l initial -x -a 'full count none' -d 'The initial output'
complete -c firn -n '__firn_is observe' -l before -d 'Write all previous values of a changed object'
complete -c firn -n '__firn_is observe' -l since -x -a 'now' -d 'Start after the token of an earlier line, or a version'
complete -c firn -n '__firn_is observe' -l cursor-file -r -F -d 'Store the position in this file'
complete -c firn -n '__firn_is observe' -l on-gap -x -a 'reset fail' -d 'What to do if a version is no longer kept'
complete -c firn -n '__firn_is observe' -l ops -x -a 'insert update delete' -d 'Print only these operations'
complete -c firn -n '__firn_is observe' -l count -x -d 'Exit after N updates'
complete -c firn -n '__firn_is observe' -l until -x -d 'Exit as soon as the result meets this condition'
complete -c firn -n '__firn_is observe' -l catch-up -d 'Exit with 0 as soon as everything is delivered'
complete -c firn -n '__firn_is observe' -l idle -x -d 'Exit with 124 after this long without an update'
complete -c firn -n '__firn_is observe' -l timeout -x -d 'Exit with 124 after this long'
complete -c firn -n '__firn_is observe' -l heartbeat -x -a 'off' -d 'Print a heartbeat after this long without an update'
complete -c firn -n '__firn_is observe' -l debounce -x -d 'Wait this long after a commit for more commits'
complete -c firn -n '__firn_is observe' -l every-commit -d 'Print one update for each commit'
complete -c firn -n '__firn_is observe' -l max-lag -x -d 'Reset when more than N commits are waiting'
complete -c firn -n '__firn_is observe' -l exec -x -d 'Run this with each update on standard input'
complete -c firn -n '__firn_is observe' -l keep-going -d 'Continue if the command of --exec fails'
complete -c firn -n '__firn_is observe' -l follow-name -d 'Continue with the file that replaces the database'

complete -c firn -n '__firn_is export' -s c -l class -x -a '(__firn_classes)' -d 'The class to write, or the class of a query that names no class'
complete -c firn -n '__firn_is export' -s f -l format -x -a 'csv tsv ndjson json markdown html insert sql sqlite parquet arrow' -d 'The format of the rows'
complete -c firn -n '__firn_is export' -l split -x -a '(__fish_complete_directories)' -d 'Write one file per class and schema.json into an existing folder'
complete -c firn -n '__firn_is export' -l schema-only -d 'Write only the schema, as firn create --schema reads it'
complete -c firn -n '__firn_is export' -l data-only -d 'Write no schema, in any format'
complete -c firn -n '__firn_is export' -l with-schema -d 'Begin ndjson with the schema even if there is only one class'
complete -c firn -n '__firn_is export' -l gzip -d 'Compress with gzip'
complete -c firn -n '__firn_is export' -l force -d 'Replace OUT if it exists'
complete -c firn -n '__firn_is export' -l no-header -d 'Omit the column names in csv and tsv'

complete -c firn -n '__firn_is freeze' -l expires -x -a 'never' -d 'Drop the freeze automatically after this time'
complete -c firn -n '__firn_is freeze' -l note -x -d 'A note that --list shows'
complete -c firn -n '__firn_is freeze' -s o -l output -r -F -d 'Copy the version to a new database'
complete -c firn -n '__firn_is freeze' -l list -d 'List the freezes and the bytes that each holds'
complete -c firn -n '__firn_is freeze' -l drop -d 'Drop the freezes with these names'
complete -c firn -n '__firn_is freeze' -l thaw -d 'Restore all objects to that version'
complete -c firn -n '__firn_is freeze' -l exists -d 'Test for a freeze'
complete -c firn -n '__firn_is freeze' -s f -l format -x -a 'auto text json ndjson' -d 'The format of the report'

complete -c firn -n '__firn_is log' -s n -l limit -x -d 'Print at most N versions'
complete -c firn -n '__firn_is log' -l since -x -a '(__firn_freezes)' -d 'Print only versions after this one'
complete -c firn -n '__firn_is log' -s c -l class -x -a '(__firn_classes)' -d 'Print only versions that changed objects of this class'
complete -c firn -n '__firn_is log' -l object -x -d 'Print only versions that changed this object of the class'
complete -c firn -n '__firn_is log' -l summary -d 'Print one line that summarizes all versions'

complete -c firn -n '__firn_is diff' -l from -x -a '(__firn_freezes)' -d 'The version of the first database'
complete -c firn -n '__firn_is diff' -l to -x -a '(__firn_freezes)' -d 'The version to compare with'
complete -c firn -n '__firn_is diff' -s c -l class -x -a '(__firn_classes)' -d 'Compare only objects of this class'
complete -c firn -n '__firn_is diff' -l summary -d 'Print only the number of objects of each class that differ'
complete -c firn -n '__firn_is log diff' -s f -l format -x -a 'auto text json ndjson' -d 'The format of the report'

complete -c firn -n '__firn_is compact' -s o -l output -r -F -d 'Leave FILE unchanged and write the newest version to a new file'
complete -c firn -n '__firn_is compact' -l if-wasted -x -d 'Do nothing unless at least this part can be reclaimed'
complete -c firn -n '__firn_is compact' -l min-size -x -d 'Do nothing unless the file is at least this large'
complete -c firn -n '__firn_is create compact' -l codec -x -a 'lz4 lz4-high none' -d 'The compression of pages'
complete -c firn -n '__firn_is compact' -l dry-run -d 'Only report what could be reclaimed'
complete -c firn -n '__firn_is compact' -l verify -d 'Check the file afterwards, as firn check --deep does'

complete -c firn -n '__firn_is schema' -s f -l format -x -a 'auto text json swift' -d 'The format of the schema'

complete -c firn -n '__firn_is stats' -l sessions -d 'Also list the other processes that have the file open'

complete -c firn -n '__firn_is stats' -l pages -d 'Also list the pages of every column'
complete -c firn -n '__firn_is check' -l salvage -r -F -d 'Write all readable data to a new database'
complete -c firn -n '__firn_is check' -l sample -x -d 'Check only this part of the row groups'
complete -c firn -n '__firn_is check' -l deep -d 'Also check all keys, and every value against its summary'

complete -c firn -n '__firn_is repl' -l ro -d 'Open the database read-only'
complete -c firn -n '__firn_is repl' -l safe -d 'Access no file but the database, and run no program'
complete -c firn -n '__firn_is repl' -l write -d 'With --safe, allow changes to the database'
complete -c firn -n '__firn_is repl' -s c -l class -x -a '(__firn_classes)' -d 'The class of statements that name no class'
complete -c firn -n '__firn_is repl' -s f -l format -x -a 'auto table box line csv tsv ndjson json markdown html insert sql' -d 'The format of results'

complete -c firn -n '__firn_is create query write repl' -l type -x -a '(__firn_types)' -d 'The type of a new property'
complete -c firn -n '__firn_is create query write repl' -l link -x -d 'Add a property that links by the value of a field'
complete -c firn -n '__firn_is create query write repl' -l map -x -d 'Read a field into another property'
complete -c firn -n '__firn_is create query write repl' -l nullstr -x -d 'A text that means null in tables'
complete -c firn -n '__firn_is create query write repl' -l delimiter -x -a 'tab space' -d 'The character between the fields of a table'
complete -c firn -n '__firn_is create query write repl' -l quote -x -a none -d 'The character around fields of a table'
complete -c firn -n '__firn_is create query write repl' -l escape -d 'A backslash begins an escape in a table'
complete -c firn -n '__firn_is create query write repl' -l comment -x -d 'The first character of comments in a table'
complete -c firn -n '__firn_is create query write repl' -l skip-lines -x -d 'The number of lines before the header'
complete -c firn -n '__firn_is create query write repl' -l headerless -d 'The first line of a table is a row'
complete -c firn -n '__firn_is create query write repl' -l columns -x -d 'The names of the columns of a table'
complete -c firn -n '__firn_is create query write repl' -l decimal -x -a '. ,' -d 'The sign before fractions in a table'
complete -c firn -n '__firn_is create query write repl' -l encoding -x -a 'utf-8 utf-16le utf-16be latin1 windows-1252' -d 'The encoding of the inputs'
complete -c firn -n '__firn_is create query write repl' -l exact -d 'Keep columns text that an export would print differently'
complete -c firn -n '__firn_is create write' -l null -x -d 'The same as --nullstr'
complete -c firn -n '__firn_is create write' -l skip -x -d 'The same as --skip-lines'
complete -c firn -n '__firn_is create write' -l no-header -d 'The same as --headerless'
complete -c firn -n '__firn_is create query write alter export freeze compact check diff log' -l progress -x -a 'auto always never json' -d 'Show progress'
complete -c firn -l errors -x -a 'human json' -d 'The format of errors'
complete -c firn -s q -l quiet -d 'Print no report, progress or hints'
complete -c firn -s v -l verbose -d 'Print the opened version and the elapsed time'
complete -c firn -l config -r -d 'Read the settings from this file'
complete -c firn -l no-config -d 'Read no settings'
complete -c firn -l version -d 'Print the version'
complete -c firn -s h -l help -d 'Print a short help'
complete -c firn -n '__firn_is query export freeze schema stats' -l at -x -a '(__firn_freezes)' -d 'Read an older version'
complete -c firn -n '__firn_is query write export observe repl' -l timezone -x -d 'The time zone of functions that name none'
complete -c firn -n '__firn_is query write export observe repl' -s p -l parameter -x -d 'The value of $NAME in the query'
complete -c firn -n '__firn_is query export' -l depth -x -d 'Write linked objects up to N levels deep'
complete -c firn -n '__firn_is query export' -l int64 -x -a 'number string' -d 'The form of 64-bit integers in JSON'
complete -c firn -n '__firn_is query export' -l split-by -x -a '(__firn_list)' -d 'Write a folder with one folder for each value of these columns'
complete -c firn -n '__firn_is query export' -l codec -x -a 'zstd lz4 snappy gzip none' -d 'The compression of parquet'
complete -c firn -n '__firn_is query export' -l bom -d 'Begin csv and tsv with a byte order mark'
complete -c firn -n '__firn_is query export' -l decimal-comma -d 'Write csv with decimal commas and semicolons'
complete -c firn -n '__firn_is export' -l delimiter -x -a 'tab space' -d 'The character between the fields of csv'
complete -c firn -n '__firn_is query export' -l csv-safe -d 'Keep spreadsheets from running text as formulas'
complete -c firn -n '__firn_is query log diff schema' -l no-pager -d 'Do not use a pager'
complete -c firn -n '__firn_is write alter' -s m -l note -x -d 'A note on the commit'
complete -c firn -n '__firn_is write alter' -l dry-run -d 'Run everything, report it, and roll it back'
complete -c firn -n '__firn_is write alter compact stats check' -s f -l format -x -a 'auto text json' -d 'The format of the report'
complete -c firn -n '__firn_is write alter freeze compact repl' -l wait -x -d 'How long to wait while another process writes'
complete -c firn -n '__firn_is create write alter export freeze compact check diff' -l timeout -x -d 'Exit with 124 after this long'

complete -c firn -n __firn_needs_command -s f -l format -x -a 'auto text json table box line csv tsv ndjson markdown html insert sql sqlite parquet arrow swift' -d 'The format of the result'
complete -c firn -n __firn_needs_command -s o -l output -r -F -d 'Write to this file'
complete -c firn -n __firn_needs_command -l no-pager -d 'Do not use a pager'
complete -c firn -n __firn_needs_command -l color -x -a 'auto always never' -d 'Use colours'
complete -c firn -n __firn_needs_command -l progress -x -a 'auto always never json' -d 'Show progress'
complete -c firn -n __firn_needs_command -l wait -x -d 'How long to wait while another process writes'

complete -c firn -n '__firn_is query write observe alter export freeze log diff compact schema stats check repl; and __firn_behind 0' -k -a '(__fish_complete_suffix .firn)'
complete -c firn -n '__firn_is create; and __firn_behind 0' -F
complete -c firn -n '__firn_is query observe; and not __firn_behind 0' -a '(__firn_query)'
complete -c firn -n '__firn_is export; and __firn_behind 1' -F
complete -c firn -n '__firn_is export; and __firn_behind 2' -a '(__firn_query)'
complete -c firn -n '__firn_is diff; and __firn_behind 1' -k -a '(__fish_complete_suffix .firn)'
complete -c firn -n '__firn_is write; and not __firn_behind 0' -F
complete -c firn -n '__firn_is alter; and not __firn_behind 0' -a '(__firn_change)'
complete -c firn -n '__firn_is schema; and not __firn_behind 0' -a '(__firn_classes)'
complete -c firn -n '__firn_is freeze; and __firn_has_option --drop --exists --thaw; and not __firn_behind 0' -a '(__firn_freezes)'
complete -c firn -n '__firn_is completions; and __firn_behind 0' -a 'bash zsh fish'
complete -c firn -n '__firn_is sync; and __firn_behind 0' -a 'ddl schema init attach subscribe unsubscribe run status verify rejected reset detach'
complete -c firn -n '__firn_is sync; and __firn_behind 1' -k -a '(__fish_complete_suffix .firn)'
complete -c firn -n '__firn_is serve' -l port -x -d 'The port'
complete -c firn -n '__firn_is serve' -l listen -x -d 'The address to listen on'
complete -c firn -n '__firn_is serve' -l socket -r -d 'Listen on a socket file'
complete -c firn -n '__firn_is serve' -l socket-mode -x -d 'The permissions of the socket file'
complete -c firn -n '__firn_is serve' -l write -d 'Accept writes'
complete -c firn -n '__firn_is serve' -l token-file -r -d 'Read the token from this file'
complete -c firn -n '__firn_is serve' -l host -x -d 'Another name of this server'
complete -c firn -n '__firn_is serve' -l allow-origin -x -d 'Let pages of this origin use the server'
complete -c firn -n '__firn_is serve' -l timeout -x -d 'The seconds that a request may take'
complete -c firn -n '__firn_is serve' -l max-memory -x -d 'The megabytes of a statement'
complete -c firn -n '__firn_is serve' -l max-body -x -d 'The megabytes of a request'
complete -c firn -n '__firn_is serve' -l max-queries -x -d 'The requests that run at the same time'
complete -c firn -n '__firn_is serve' -l max-streams -x -d 'The different queries that are observed'
complete -c firn -n '__firn_is serve' -l max-connections -x -d 'The open connections'
complete -c firn -n '__firn_is serve' -l idle-exit -x -d 'Exit after this many seconds without a request'
complete -c firn -n '__firn_is serve' -s q -l quiet -d 'Print only the URL'
complete -c firn -n '__firn_is serve' -k -a '(__fish_complete_suffix .firn)'
complete -c firn -n '__firn_is help' -a 'create query write observe alter export freeze log diff compact schema stats check repl completions sync serve exit-codes formats query-language sql events examples environment'
