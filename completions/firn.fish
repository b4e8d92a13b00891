# Completion of firn(1) for fish.
#
# Classes, properties and freezes are those of the database on the command line: firn is asked for
# them, which takes some milliseconds, changes nothing, and says nothing if it fails.

set -g __firn_value_options --from --schema --class --key --type --link --map --null --format \
    --progress --errors --query-file --select --sort --limit --skip --at --parameter --params --output \
    --color --rows --width --depth --int64 --execute --input --batch --on-error --if-version \
    --wait --split --expires --note --sample --salvage --if-wasted --min-size --codec --shape --initial --since \
    --cursor-file --on-gap --ops --until --idle --timeout --heartbeat --debounce --max-lag --exec --to --config -f -F -c -s -p -o -x -n

# Prints what stands before the cursor and is neither an option nor its value, the command first.
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

# Succeeds if so many words stand behind the command.
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

# Prints the class that the words before the cursor, or the word at it, are about.
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

# Prints the paths that begin with the steps of $argv[1], such as plane.seats, from a class on,
# each behind the text $argv[3].
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

# Properties separated by commas, perhaps with a minus in front.
function __firn_list
    set -l word (string replace -r '^--?[a-z]+=' '' -- (commandline -ct))
    set -l last (string replace -r '^.*,-?|^-' '' -- $word)
    set -l before (string sub -l (math (string length -- $word) - (string length -- $last)) -- $word)
    __firn_paths "$last" (__firn_class) "$before"
end

function __firn_keys
    __firn_paths (commandline -ct) (__firn_class) ''
end

# What may stand in a query: its class first, then properties, and stages behind a bar.
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

# A change of firn alter: a verb, a class, a property.
function __firn_change
    set -l word (__firn_word)
    set -l last (string replace -r '^.*[ =]' '' -- $word)
    set -l before (string sub -l (math (string length -- $word) - (string length -- $last)) -- $word)
    if test -z "$before"
        printf '%s\n' add rename remove retype key inverse
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

complete -c firn -n __firn_needs_command -a create -d 'Make a database from CSV, TSV, JSON or a schema'
complete -c firn -n __firn_needs_command -a query -d 'Print the objects that match a query'
complete -c firn -n __firn_needs_command -a write -d 'Insert, change and delete objects'
complete -c firn -n __firn_needs_command -a observe -d 'Print the changes of a query as they are committed'
complete -c firn -n __firn_needs_command -a alter -d 'Change classes and properties'
complete -c firn -n __firn_needs_command -a export -d 'Write all objects, a class or a query'
complete -c firn -n __firn_needs_command -a freeze -d 'Give a version a name, or copy it'
complete -c firn -n __firn_needs_command -a log -d 'Print the versions that are kept, and what each changed'
complete -c firn -n __firn_needs_command -a diff -d 'Print what differs between two versions or two databases'
complete -c firn -n __firn_needs_command -a compact -d 'Make the file as small as it can be'
complete -c firn -n __firn_needs_command -a schema -d 'Print the classes and their properties'
complete -c firn -n __firn_needs_command -a stats -d 'Print how much there is'
complete -c firn -n __firn_needs_command -a check -d 'Verify a database'
complete -c firn -n __firn_needs_command -a repl -d 'Ask and change a database line by line'
complete -c firn -n __firn_needs_command -a completions -d 'Print the completion of bash, zsh or fish'
complete -c firn -n __firn_needs_command -a help -d 'Explain a command'

complete -c firn -n '__firn_is create' -l from -r -F -d 'An input'
complete -c firn -n '__firn_is create' -l schema -r -F -d 'The classes as JSON'
complete -c firn -n '__firn_is create' -l class -x -d 'The name of the class'
complete -c firn -n '__firn_is create' -l key -x -d 'The property that identifies an object'
complete -c firn -n '__firn_is create' -l if-missing -d 'Do nothing if the database is there already and has these classes'
complete -c firn -n '__firn_is create' -l dry-run -d 'Print the schema that would be used, and make nothing'
complete -c firn -n '__firn_is create' -s f -l format -x -a 'auto text json swift' -d 'The form of the report'

complete -c firn -n '__firn_is query' -s F -l query-file -r -F -d 'Read the query from a file'
complete -c firn -n '__firn_is query' -s c -l class -x -a '(__firn_classes)' -d 'The class of a query that names none'
complete -c firn -n '__firn_is query' -s s -l select -x -a '(__firn_list)' -d 'Print these properties'
complete -c firn -n '__firn_is query' -l sort -x -a '(__firn_list)' -d 'Sort by these properties'
complete -c firn -n '__firn_is query' -l limit -x -d 'Print at most so many objects'
complete -c firn -n '__firn_is query' -l skip -x -d 'Leave out the first objects'
complete -c firn -n '__firn_is query' -l count -d 'Print only how many objects there are'
complete -c firn -n '__firn_is query' -l params -r -F -d 'The values of all $NAME as a JSON object'
complete -c firn -n '__firn_is query' -l timeout -x -d 'End with 124 after so long'
complete -c firn -n '__firn_is query' -l explain -d 'Print the plan instead of running the query'
complete -c firn -n '__firn_is query' -l analyze -d 'Print the plan, and what running the query took'
complete -c firn -n '__firn_is query' -l stats -d 'Say afterwards, on standard error, what the query cost'
complete -c firn -n '__firn_is query' -s e -l exit-status -d 'End with 1 if there are no rows'
complete -c firn -n '__firn_is query' -s 1 -l one -d 'End with 1 unless there is exactly one row'
complete -c firn -n '__firn_is query' -s f -l format -x -a 'auto table box line csv tsv ndjson json markdown html insert sql' -d 'The format of the rows'
complete -c firn -n '__firn_is query' -s o -l output -r -F -d 'Write to a file, which appears only when it is complete'
complete -c firn -n '__firn_is query' -l color -x -a 'auto always never' -d 'Use colours'
complete -c firn -n '__firn_is query' -s r -l raw -d 'Print the only column without quotes'
complete -c firn -n '__firn_is query' -s 0 -l null-terminated -d 'Like --raw, but a NUL ends each value'
complete -c firn -n '__firn_is query' -l null -x -d 'What stands for null in table, csv, tsv and raw output'
complete -c firn -n '__firn_is query' -l no-header -d 'No names of columns in table, csv and tsv'
complete -c firn -n '__firn_is query' -l rows -x -a 'all' -d 'Rows of a table to show'
complete -c firn -n '__firn_is query' -l width -x -d 'Columns that a line of a table may take'
complete -c firn -n '__firn_is query' -l wrap -d 'Let long values of a table go on below'

complete -c firn -n '__firn_is write' -s x -l execute -x -a '(__firn_query)' -d 'A query that ends with set or delete'
complete -c firn -n '__firn_is write' -s c -l class -x -a '(__firn_classes)' -d 'The class of records that name none'
complete -c firn -n '__firn_is write' -l insert -d 'The keys must be new'
complete -c firn -n '__firn_is write' -l upsert -d 'Make objects, or change the given properties of those that are there'
complete -c firn -n '__firn_is write' -l update -d 'Change the given properties of objects that must be there'
complete -c firn -n '__firn_is write' -l replace -d 'Like --upsert, but what is not given becomes nil'
complete -c firn -n '__firn_is write' -l key -x -a '(__firn_keys)' -d 'The property that identifies an object'
complete -c firn -n '__firn_is write' -l input -x -a 'auto csv tsv json ndjson ops observe' -d 'What the inputs are'
complete -c firn -n '__firn_is write' -l create -d 'Make the database if there is none, and classes it does not have'
complete -c firn -n '__firn_is write' -l add-properties -d 'Fields that are no property become optional properties'
complete -c firn -n '__firn_is write' -l batch -x -d 'Commit after every N records, and report each'
complete -c firn -n '__firn_is write' -l cursor-file -r -F -d 'Keep how far the stream of observe was applied'
complete -c firn -n '__firn_is write' -l on-error -x -a 'abort skip save=' -d 'What to do after a wrong record'
complete -c firn -n '__firn_is write' -l if-version -x -d 'Fail with 75 unless the database has this version'
complete -c firn -n '__firn_is write' -l returning -d 'Print the objects that were written instead of the report'
complete -c firn -n '__firn_is write' -l safe -d 'Check the database first, and touch no other file'

complete -c firn -n '__firn_is observe' -s c -l class -x -a '(__firn_classes)' -d 'The class of a query that names none'
complete -c firn -n '__firn_is observe' -s s -l select -x -a '(__firn_list)' -d 'Print these properties, and only what changes them'
complete -c firn -n '__firn_is observe' -s f -l format -x -a 'auto table ndjson csv tsv' -d 'A live table, or how lines are written'
complete -c firn -n '__firn_is observe' -l shape -x -a 'events rows index' -d 'What a line is'
complete -c firn -n '__firn_is observe' -l initial -x -a 'full count none' -d 'What comes first'
complete -c firn -n '__firn_is observe' -l before -d 'Write changed objects as they were, not only what changed'
complete -c firn -n '__firn_is observe' -l since -x -a 'now' -d 'Begin behind the token of an earlier line, or a version'
complete -c firn -n '__firn_is observe' -l cursor-file -r -F -d 'Keep the position in this file'
complete -c firn -n '__firn_is observe' -l on-gap -x -a 'reset fail' -d 'When a version is not kept any more'
complete -c firn -n '__firn_is observe' -l ops -x -a 'insert update delete' -d 'Only these, separated by commas'
complete -c firn -n '__firn_is observe' -l count -x -d 'End after so many updates'
complete -c firn -n '__firn_is observe' -l until -x -d 'End as soon as this holds of the result'
complete -c firn -n '__firn_is observe' -l idle -x -d 'End with 124 without an update for so long'
complete -c firn -n '__firn_is observe' -l timeout -x -d 'End with 124 after so long'
complete -c firn -n '__firn_is observe' -l heartbeat -x -a 'off' -d 'How often to say something when nothing happens'
complete -c firn -n '__firn_is observe' -l debounce -x -d 'Wait so long after a commit, for others to go with it'
complete -c firn -n '__firn_is observe' -l every-commit -d 'One update for each commit, also when reading is slow'
complete -c firn -n '__firn_is observe' -l max-lag -x -d 'Begin anew when so many commits wait'
complete -c firn -n '__firn_is observe' -l exec -x -d 'Run this for each update, which it reads'
complete -c firn -n '__firn_is observe' -l keep-going -d 'Go on when the command of --exec fails'
complete -c firn -n '__firn_is observe' -l follow-name -d 'Go on when another file takes the place of the database'

complete -c firn -n '__firn_is export' -s c -l class -x -a '(__firn_classes)' -d 'The class to write, or the class of a query that names none'
complete -c firn -n '__firn_is export' -s f -l format -x -a 'csv tsv ndjson json markdown html insert sql' -d 'The format of the rows'
complete -c firn -n '__firn_is export' -l split -x -a '(__fish_complete_directories)' -d 'Write one file per class and schema.json into a folder that exists'
complete -c firn -n '__firn_is export' -l schema-only -d 'Write the schema, as firn create --schema reads it, and no objects'
complete -c firn -n '__firn_is export' -l data-only -d 'Write no schema, whatever the format'
complete -c firn -n '__firn_is export' -l with-schema -d 'Begin ndjson with the schema also if there is one class'
complete -c firn -n '__firn_is export' -l gzip -d 'Compress with gzip'
complete -c firn -n '__firn_is export' -l force -d 'Replace OUT if it exists'
complete -c firn -n '__firn_is export' -l no-header -d 'No names of columns in csv and tsv'

complete -c firn -n '__firn_is freeze' -l expires -x -a 'never' -d 'After how long the freeze goes by itself'
complete -c firn -n '__firn_is freeze' -l note -x -d 'A text that --list shows'
complete -c firn -n '__firn_is freeze' -s o -l output -r -F -d 'Write the version as a database of its own'
complete -c firn -n '__firn_is freeze' -l list -d 'List the freezes, and the bytes that each keeps'
complete -c firn -n '__firn_is freeze' -l drop -d 'Take these names away'
complete -c firn -n '__firn_is freeze' -l thaw -d 'Make all objects as they were'
complete -c firn -n '__firn_is freeze' -l exists -d 'Only find out'
complete -c firn -n '__firn_is freeze' -s f -l format -x -a 'auto text json ndjson' -d 'The form of the report'

complete -c firn -n '__firn_is log' -s n -l limit -x -d 'At most so many versions'
complete -c firn -n '__firn_is log' -l since -x -a '(__firn_freezes)' -d 'Only versions after this one'
complete -c firn -n '__firn_is log' -l summary -d 'Print one line for all of them together'

complete -c firn -n '__firn_is diff' -l from -x -a '(__firn_freezes)' -d 'The version of the first database'
complete -c firn -n '__firn_is diff' -l to -x -a '(__firn_freezes)' -d 'The version to compare it with'
complete -c firn -n '__firn_is diff' -s c -l class -x -a '(__firn_classes)' -d 'Only objects of this class'
complete -c firn -n '__firn_is diff' -l summary -d 'Print only how many objects of each class differ'
complete -c firn -n '__firn_is log diff' -s f -l format -x -a 'auto text json ndjson' -d 'The form of the report'

complete -c firn -n '__firn_is compact' -s o -l output -r -F -d 'Leave FILE as it is and write the newest version to a file of its own'
complete -c firn -n '__firn_is compact' -l if-wasted -x -d 'Do nothing unless so much can be reclaimed'
complete -c firn -n '__firn_is compact' -l min-size -x -d 'Do nothing unless the file is so large'
complete -c firn -n '__firn_is create compact' -l codec -x -a 'lz4 lz4-high none' -d 'How pages are compressed'
complete -c firn -n '__firn_is compact' -l dry-run -d 'Only say what could be reclaimed'
complete -c firn -n '__firn_is compact' -l verify -d 'Check everything afterwards, as firn check --deep does'

complete -c firn -n '__firn_is schema' -s f -l format -x -a 'auto text json swift' -d 'The form of the schema'

complete -c firn -n '__firn_is stats' -l sessions -d 'Also list the other processes that have the file open'

complete -c firn -n '__firn_is stats' -l pages -d 'Also list the pages of every column'
complete -c firn -n '__firn_is check' -l salvage -r -F -d 'Write what can still be read to a database of its own'
complete -c firn -n '__firn_is check' -l sample -x -d 'Look only into so many row groups'
complete -c firn -n '__firn_is check' -l deep -d 'Also compare every value with its summary, and all keys'

complete -c firn -n '__firn_is repl' -l ro -d 'Change nothing'
complete -c firn -n '__firn_is repl' -l safe -d 'Touch no file but the database and run no program'
complete -c firn -n '__firn_is repl' -l write -d 'With --safe, allow changes of the database'
complete -c firn -n '__firn_is repl' -s c -l class -x -a '(__firn_classes)' -d 'The class of statements that name none'
complete -c firn -n '__firn_is repl' -s f -l format -x -a 'auto table box line csv tsv ndjson json markdown html insert sql' -d 'The format of results'

complete -c firn -n '__firn_is create write' -l type -x -a '(__firn_types)' -d 'The type of a property that is added'
complete -c firn -n '__firn_is create write' -l link -x -d 'Add a property that links by the value of a field'
complete -c firn -n '__firn_is create write' -l map -x -d 'A field that has another name than its property'
complete -c firn -n '__firn_is create write' -l null -x -d 'A text that stands for null in tables, besides the empty field'
complete -c firn -n '__firn_is create write export freeze compact' -l progress -x -a 'auto always never json' -d 'Show progress'
complete -c firn -l errors -x -a 'human json' -d 'How errors are written'
complete -c firn -s q -l quiet -d 'No report, no progress, no hints'
complete -c firn -s v -l verbose -d 'Say what was opened and what it took'
complete -c firn -l config -r -d 'Read the settings of this file'
complete -c firn -l no-config -d 'Read no settings'
complete -c firn -l version -d 'Print the version'
complete -c firn -s h -l help -d 'Print a short help'
complete -c firn -n '__firn_is query export freeze schema stats' -l at -x -a '(__firn_freezes)' -d 'Read an older version'
complete -c firn -n '__firn_is query write export observe repl' -s p -l parameter -x -d 'The value of $NAME in the query'
complete -c firn -n '__firn_is query export' -l depth -x -d 'Write linked objects so many levels deep'
complete -c firn -n '__firn_is query export' -l int64 -x -a 'number string' -d 'Integers of 64 bits in JSON'
complete -c firn -n '__firn_is query export' -l csv-safe -d 'Keep spreadsheets from running texts as formulas'
complete -c firn -n '__firn_is query log diff schema' -l no-pager -d 'Never show the result in a pager'
complete -c firn -n '__firn_is write alter' -l dry-run -d 'Do everything, and roll it back'
complete -c firn -n '__firn_is write alter compact stats check' -s f -l format -x -a 'auto text json' -d 'The form of the report'
complete -c firn -n '__firn_is write alter freeze compact repl' -l wait -x -d 'How long to wait while another process writes'
complete -c firn -n '__firn_is create write alter export freeze compact check diff' -l timeout -x -d 'End with 124 after so long'

complete -c firn -n __firn_needs_command -s f -l format -x -a 'auto text json table box line csv tsv ndjson markdown html insert sql swift' -d 'The form of the result'
complete -c firn -n __firn_needs_command -s o -l output -r -F -d 'Write to a file of its own'
complete -c firn -n __firn_needs_command -l no-pager -d 'Never show the result in a pager'
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
complete -c firn -n '__firn_is help' -a 'create query write observe alter export freeze log diff compact schema stats check repl completions exit-codes formats query-language events examples environment'
