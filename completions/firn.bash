# Completion of firn(1) for bash.
#
# Classes, properties and freezes come from the database on the command line. firn prints them in a
# few milliseconds; it changes nothing, and its errors are discarded.

_firn_commands='create query write observe alter export freeze log diff compact schema stats check repl completions sync serve help'
_firn_topics='exit-codes formats query-language sql events examples environment'

# Prints the options of a command.
_firn_options() {
    local common='--errors -q --quiet -v --verbose --config --no-config --version -h --help'
    local records='--type --link --map --nullstr --delimiter --quote --escape --comment --skip-lines --headerless
        --columns --decimal --encoding --exact --on-error'
    local input="$records --null --skip --no-header"
    case $1 in
        create) echo "--from --schema -c --class --key --index --unique $input --if-missing --dry-run --key-file --copy --codec -f --format
            --progress --timeout $common" ;;
        query) echo "--params --timeout --max-memory --no-pager -F --query-file -c --class -s --select --sort --limit --skip $records --count --explain
            --analyze --stats -e --exit-status -1 --one --at -p --parameter --timezone -f --format -o --output --color
            -r --raw -0 --null-terminated --null --no-header --rows --width --wrap --depth --int64 --csv-safe
            --split-by --codec --bom --decimal-comma --progress $common" ;;
        write) echo "-x --execute -c --class --insert --upsert --update --replace --key --input
            $input -p --parameter --timezone --create --add-properties --batch --cursor-file --if-version
            -m --note --dry-run --returning --safe -f --format --wait --progress --timeout $common" ;;
        observe) echo "-c --class -s --select -p --parameter --timezone -f --format --shape --initial --before
            --since --cursor-file --on-gap --ops --count --until --catch-up --idle --timeout --heartbeat --debounce
            --every-commit --max-lag --exec --keep-going --follow-name $common" ;;
        alter) echo "-m --note --dry-run -f --format --wait --progress --timeout $common" ;;
        export) echo "-c --class -f --format --split --split-by --codec --bom --decimal-comma --delimiter --schema-only --data-only --with-schema --gzip
            --force --no-header --at --depth --int64 --csv-safe -p --parameter --timezone --progress --timeout $common" ;;
        freeze) echo "--at --expires --note -o --output --list --drop --exists --thaw -f --format --wait
            --progress --timeout $common" ;;
        log) echo "--no-pager -n --limit --since -c --class --object --summary -f --format --progress $common" ;;
        diff) echo "--no-pager --from --to -c --class --summary -f --format --progress --timeout $common" ;;
        compact) echo "-o --output --if-wasted --min-size --codec --dry-run --verify -f --format
            --wait --progress --timeout $common" ;;
        schema) echo "--no-pager -f --format --at $common" ;;
        stats) echo "--sessions --pages -f --format --at $common" ;;
        check) echo "--deep --salvage --sample -f --format --progress --timeout $common" ;;
        completions) echo "$common" ;;
        serve) echo "--port --listen --socket --socket-mode --write --token-file --host --allow-origin --timeout --max-memory
            --max-body --max-queries --max-streams --max-connections --idle-exit -q --quiet --version -h --help" ;;
        repl) echo "--ro --safe --write $records -c --class -f --format -p --parameter --timezone --wait $common" ;;
        '') echo "-f --format -o --output --color --no-pager --progress --errors --wait -q --quiet -v --verbose
            --config --no-config --version -h --help" ;;
    esac
}

# Succeeds if an option takes a value.
_firn_takes_value() {
    case $1 in
        --from | --schema | --class | --key | --index | --unique | --type | --link | --map | --null | --nullstr | --skip-lines | --delimiter | --quote | --comment | --columns | --decimal | --encoding | --format | \
            --progress | --errors | --query-file | --select | --sort | --limit | --skip | --at | \
            --parameter | --params | --timezone | --output | --color | --rows | --width | --depth | --int64 | --execute | \
            --input | --batch | --on-error | --if-version | --wait | --split | --split-by | --expires | \
            --note | --sample | --salvage | --if-wasted | --min-size | --codec | --shape | --initial | --since | \
            --port | --listen | --socket | --socket-mode | --token-file | --host | --allow-origin | --max-body | --max-queries | \
            --max-streams | --max-connections | --idle-exit | --cursor-file | --on-gap | --ops | --until | --idle | --timeout | --max-memory | --heartbeat | \
            --debounce | --max-lag | --exec | --to | --config | -f | -F | -c | -s | -p | -o | -x | -n | -m) ;;
        *) return 1 ;;
    esac
}

# Splits the line up to the cursor into words without their quotes: `words` are the words before the
# cursor, `word` is the word at the cursor, and `quote` is the quote that is open there, if any.
_firn_split() {
    local line=${COMP_LINE:0:COMP_POINT} character begun='' i
    words=() word='' quote=''
    for ((i = 0; i < ${#line}; i++)); do
        character=${line:i:1}
        case $quote$character in
            "''" | '""') quote='' ;;
            "'"?) word+=$character ;;
            '\' | '"\') i=$((i + 1)) word+=${line:i:1} begun=1 ;;
            '"'?) word+=$character ;;
            "'" | '"') quote=$character begun=1 ;;
            [[:space:]])
                if [[ $begun ]]; then words+=("$word"); fi
                word='' begun='' ;;
            *) word+=$character begun=1 ;;
        esac
    done
}

# Parses the words before the cursor into `command`, `positions` (the words that are neither options
# nor option values), `class`, `option` (the option whose value is at the cursor) and `flags` (the
# other options).
_firn_understand() {
    local item last=''
    command='' class='' option='' flags=' ' positions=()
    for item in ${words[@]+"${words[@]:1}"}; do
        if [[ $last ]]; then
            case $last in -c | --class) class=$item ;; esac
            last=''
        elif [[ $item == --class=* ]]; then class=${item#*=}
        elif [[ $item == -?* ]]; then
            if _firn_takes_value "$item"; then last=$item; fi
            flags+="$item "
        elif [[ ! $command ]]; then command=$item
        else positions+=("$item")
        fi
    done
    option=$last
    file=${positions[0]-}
    if [[ $file == '~/'* ]]; then file=$HOME/${file#'~/'}; fi
    # The first word of a query is its class.
    if [[ ! $class ]]; then
        case $command in
            query) class=${positions[1]:-$word} ;;
            export) class=${positions[2]:-$word} ;;
            *) class=$word ;;
        esac
        class=${class%%[!A-Za-z0-9_]*}
    fi
}

# Asks the database for its classes as text, one line each, with their properties below.
_firn_schema() {
    if [[ -f $file ]]; then command "${words[0]/#\~\//$HOME/}" schema "$file" -f text 2>/dev/null; fi
}

_firn_classes() { _firn_schema | awk '/^[^ ]/ { print $1 }'; }

# Prints the paths that begin with the steps of $1, such as plane.seats, starting at the class $2.
_firn_paths() {
    _firn_schema | awk -v path="$1" -v class="$2" '
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
            for (i = 1; i <= count; i++) print begin found[i]
        }'
}

_firn_freezes() {
    if [[ ! -f $file ]]; then return; fi
    command "${words[0]/#\~\//$HOME/}" freeze "$file" --list -f ndjson 2>/dev/null |
        sed -n 's/^{"v":1,"type":"freeze","name":"\([^"\\]*\)".*/\1/p'
}

# Offers the words of $2 that begin with $1, which is the end of the word at the cursor. With $3, the
# word continues after them, so neither a space nor a closing quote is added.
_firn_offer() {
    local begin=${word%"$1"} replaced=${current//\\/} candidate
    COMPREPLY=()
    while IFS= read -r candidate; do
        if [[ ! $candidate || $candidate != "$1"* ]]; then continue; fi
        candidate=$begin$candidate
        if [[ ! $quote ]]; then
            # readline replaces only the part after its last word break.
            candidate=${candidate:${#word} - ${#replaced}}
            printf -v candidate %q "$candidate"
            candidate=${candidate//\\,/,}
        fi
        COMPREPLY+=("$candidate")
    done <<<"$2"
    if [[ ! ${3-} ]]; then return; fi
    compopt -o nospace 2>/dev/null
    # readline closes the quote after the only candidate.
    if [[ $quote && ${#COMPREPLY[@]} == 1 ]]; then COMPREPLY+=("${COMPREPLY[0]} "); fi
}

# Offers files whose names match the pattern $1, and folders; readline quotes them.
_firn_files() {
    local name
    COMPREPLY=()
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        if [[ -d ${name/#\~\//$HOME/} || $name == $1 ]]; then COMPREPLY+=("$name"); fi
    done < <(compgen -f -- "${current//\\/}")
}

# Offers the candidates at the cursor in a query.
_firn_query() {
    local last=${word##*[ (,|!]} before stages=''
    if [[ $positions_before == 0 && $last == "$word" && ! $class_given ]]; then
        _firn_offer "$word" "$(_firn_classes)" "$quote"
        return
    fi
    before=${word%"$last"}
    case ${before%"${before##*[! ]}"} in
        *\|)
            stages=$'SORT(\nDISTINCT(\nLIMIT(\nSKIP(\nselect(\ngroup(\ncount\nexists\nfirst\nlast\nexplain'
            if [[ $command == write ]]; then stages+=$'\nset\ndelete'; fi ;;
    esac
    _firn_offer "$last" "$(_firn_paths "$last" "$class")"$'\n'"$stages" more
}

# Offers the values of the option $1 that begin with $2.
_firn_value() {
    local values=''
    case $1 in
        -f | --format)
            case $command in
                query) values='auto table box line csv tsv ndjson json markdown html insert sql sqlite parquet arrow' ;;
                repl) values='auto table box line csv tsv ndjson json markdown html insert sql' ;;
                export) values='csv tsv ndjson json markdown html insert sql sqlite parquet arrow' ;;
                observe) values='auto table ndjson csv tsv' ;;
                create | schema) values='auto text json swift' ;;
                freeze | log | diff) values='auto text json ndjson' ;;
                *) values='auto text json' ;;
            esac ;;
        --color) values='auto always never' ;;
        --progress) values='auto always never json' ;;
        --errors) values='human json' ;;
        --int64) values='number string' ;;
        --codec)
            case $command in
                query | export) values='zstd lz4 snappy gzip none' ;;
                *) values='lz4 lz4-high none' ;;
            esac ;;
        --input) values='auto csv tsv json ndjson ops observe' ;;
        --shape) values='events rows index' ;;
        --initial) values='full count none' ;;
        --since | --from | --to)
            case $command in
                log | diff) values=$(_firn_freezes) ;;
                create)
                    _firn_files '*'
                    return ;;
                *) values='now' ;;
            esac ;;
        --on-gap) values='reset fail' ;;
        --ops) values='insert update delete' ;;
        --heartbeat) values='off' ;;
        --expires) values='never' ;;
        --rows) values='all' ;;
        --on-error)
            _firn_offer "$2" $'abort\nskip\nsave=' more
            return ;;
        --at) values=$(_firn_freezes) ;;
        -c | --class) values=$(_firn_classes) ;;
        --key) values=$(_firn_paths "$2" "$class") ;;
        -s | --select | --sort)
            local last=${2##*[-,]}
            _firn_offer "$last" "$(_firn_paths "$last" "$class")" more
            return ;;
        -x | --execute)
            local positions_before=0 class_given=''
            _firn_query
            return ;;
        --type)
            case $2 in
                *=*) _firn_offer "${2#*=}" $'Bool\nInt\nInt8\nInt16\nInt32\nFloat\nDouble\nDecimal128
String\nData\nDate\nUUID\nObjectId\nAny\nList<\nSet<\nMap<' more ;;
            esac
            return ;;
        --schema | -F | --query-file | --params | --salvage | --cursor-file | --config | -o | --output)
            _firn_files '*'
            return ;;
        --split)
            _firn_files ''
            return ;;
    esac
    _firn_offer "$2" "${values// /$'\n'}"
}

# Offers the arguments that are not options; $1 is the number of such words before the cursor.
_firn_position() {
    local class_given='' positions_before
    case $flags in *' -c '* | *' --class '*) class_given=1 ;; esac
    if [[ $command == completions ]]; then
        if [[ $1 == 0 ]]; then _firn_offer "$word" $'bash\nzsh\nfish'; fi
        return
    fi
    if [[ $command == sync ]]; then
        if [[ $1 == 0 ]]; then
            _firn_offer "$word" $'ddl\nschema\ninit\nattach\nsubscribe\nunsubscribe\nrun\nstatus\nverify\nrejected\nreset\ndetach'
        else
            _firn_files '*.firn'
        fi
        return
    fi
    if [[ $1 == 0 ]]; then
        case $command in
            query | repl) _firn_files '*.@(firn|csv|tsv|json|ndjson|jsonl)?(.gz)' ;;
            *) _firn_files '*.firn' ;;
        esac
        return
    fi
    case $command in
        query | observe)
            positions_before=$(($1 - 1))
            _firn_query ;;
        export)
            if [[ $1 == 1 ]]; then
                _firn_files '*'
            elif [[ $1 == 2 ]]; then
                positions_before=0
                _firn_query
            fi ;;
        write) _firn_files '*' ;;
        serve) _firn_files '*.firn' ;;
        diff) if [[ $1 == 1 ]]; then _firn_files '*.firn'; fi ;;
        schema) _firn_offer "$word" "$(_firn_classes)" ;;
        freeze)
            case $flags in
                *' --drop '* | *' --exists '* | *' --thaw '*) _firn_offer "$word" "$(_firn_freezes)" ;;
            esac ;;
        alter)
            local last=${word##* } begin
            begin=${word%"$last"}
            if [[ ! $begin ]]; then
                _firn_offer "$last" $'add\nrename\nremove\nretype\nkey\ninverse\nlink\nindex\nunique\ndrop index' "$quote"
            elif [[ $last == *.* ]]; then
                _firn_offer "${last#*.}" "$(_firn_paths "${last#*.}" "${last%%.*}")" more
            else
                _firn_offer "$last" "$(_firn_classes)" more
            fi ;;
    esac
}

_firn() {
    local current=$2 words word quote command positions class option flags file
    _firn_split
    _firn_understand
    if [[ $option ]]; then
        _firn_value "$option" "$word"
    elif [[ $word == --*=* ]]; then
        _firn_value "${word%%=*}" "${word#*=}"
    elif [[ $word == -* ]]; then
        _firn_offer "$word" "$(printf '%s\n' $(_firn_options "$command"))"
    elif [[ $command == help ]]; then
        _firn_offer "$word" "${_firn_commands// /$'\n'}"$'\n'"${_firn_topics// /$'\n'}"
    elif [[ ! $command ]]; then
        _firn_offer "$word" "${_firn_commands// /$'\n'}"
    else
        _firn_position "${#positions[@]}"
    fi
}

complete -F _firn firn
