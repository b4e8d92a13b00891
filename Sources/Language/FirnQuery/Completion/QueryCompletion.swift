package import FirnEngine
package import FirnPlatform
package import FirnSyntax
package import FirnValues

/// Finds the completions at the end of an unfinished text.
///
/// The parser determines what the grammar allows. The binder determines the meaning of names and
/// the operators that fit. Completion itself contains no knowledge of the language.
package struct QueryCompletion {
    /// The maximum length of a text.
    ///
    /// Longer texts are not typed by hand.
    static let textBytesMax = 16 << 10

    /// The shell's information beyond the schema.
    package struct CommandEnvironment {
        /// The class of the last result.
        ///
        /// The classes of saved results are in `savedResults`, by name.
        package var lastResult: String?
        package var savedResults: TextMap<String> = [:]
        package var formats: [String] = []
        /// Returns values of a String property that begin with a prefix.
        package var texts: (ClassSchema, PropertySchema, _ prefix: String) -> [String] = {
            _, _, _ in
            []
        }

        package init() {}
    }

    private let context: BindingContext
    private let entry: QueryEntry
    private let environment: CommandEnvironment

    package init(
        entry: QueryEntry, in context: BindingContext,
        _ environment: CommandEnvironment = CommandEnvironment()
    ) {
        self.entry = entry
        self.context = context
        self.environment = environment
    }

    /// Returns the completions at the end of a text.
    ///
    /// - Complexity: O(words of the language * length of the text)
    package func completion(of text: String) -> Completion {
        guard text.utf8.count <= QueryCompletion.textBytesMax,
            let cursor = CursorText(text, entry: entry),
            let probe = GrammarProbe(cursor.before, entry: entry)
        else { return .none }
        let all: [Candidate]
        switch cursor.kind {
        case .string(let quote): all = strings(probe, cursor.word, quote)
        case .argument: all = arguments(probe)
        case .attribute: all = names(probe).filter { $0.text.hasPrefix("@") }
        case .quotedName: all = names(probe).filter { !$0.text.hasPrefix("@") }
        case .word:
            all =
                names(probe) + words(probe)
                + (cursor.word.isEmpty ? arguments(probe) + strings(probe, "", nil) : [])
        }
        return Completion(start: cursor.start, candidates: matching(all, cursor))
    }

    /// Returns the candidates that begin with the typed word in any case, without duplicates.
    private func matching(_ candidates: [Candidate], _ cursor: CursorText) -> [Candidate] {
        let typed: String
        switch cursor.kind {
        case .attribute: typed = "@" + cursor.word.lowercased()
        case .argument: typed = "$" + cursor.word.lowercased()
        case .word, .quotedName: typed = cursor.word.lowercased()
        case .string: return candidates
        }
        var seen: TextSet = []
        return candidates.filter { candidate in
            let name = cursor.kind == .argument ? candidate.text : candidate.shown ?? candidate.text
            return name.lowercased().hasPrefix(typed) && seen.insert(candidate.text).inserted
        }
    }

    private func scope(_ record: CursorRecord?, _ probe: GrammarProbe) -> CursorScope? {
        record.flatMap { record in
            CursorScope(record, probe.before, in: context) { kind in
                switch kind {
                case .lastResult: environment.lastResult
                case .saved(let name): environment.savedResults[name]
                case .className: nil
                }
            }
        }
    }

    // MARK: Names

    private func names(_ probe: GrammarProbe) -> [Candidate] {
        guard let record = probe.record(GrammarProbe.unknownName), let role = record.role else {
            return []
        }
        switch role {
        case .newName, .function: return []
        case .savedResult:
            return environment.savedResults.keys.sorted().map {
                Candidate(Canonical.name($0), note: environment.savedResults[$0], append: " ")
            }
        case .format: return environment.formats.map { Candidate($0) }
        case .source:
            let classes = context.schema.listedClasses.map(\.name).sorted().map {
                Candidate(Canonical.name($0), shown: $0, note: "class", append: " ")
            }
            // A condition on the default class is valid here as well.
            guard context.defaultClass != nil, let scope = scope(unsourced(record), probe) else {
                return classes
            }
            return classes + paths(scope, record, nil, []) + functions(probe, nil)
        case .path(let variable, let segments):
            guard let scope = scope(record, probe) else { return [] }
            let functions = segments.isEmpty && variable == nil
            return paths(scope, record, variable, segments)
                + (functions ? self.functions(probe, record.compared.map { (scope, $0) }) : [])
        }
    }

    /// Returns the record of a text that begins with a condition.
    private func unsourced(_ record: CursorRecord) -> CursorRecord {
        var record = record
        record.source = nil
        return record
    }

    private func paths(
        _ scope: CursorScope, _ record: CursorRecord, _ variable: String?,
        _ segments: [Path.Segment]
    ) -> [Candidate] {
        PathCandidates(scope: scope, record: record).candidates(
            variable: variable, after: segments, compared: record.compared)
    }

    /// Returns the functions that are valid here and whose values fit the comparison.
    private func functions(
        _ probe: GrammarProbe,
        _ compared: (scope: CursorScope, comparison: (left: Expression, by: Comparison.Operator))?
    ) -> [Candidate] {
        guard let record = probe.record("length("), record.role == .function else { return [] }
        let nowhere = SourceRange(0..<0)
        func fits(_ sample: Expression) -> Bool {
            guard let (scope, comparison) = compared else { return true }
            return scope.compares(comparison.left, comparison.by, [sample])
        }
        let found = ScalarFunction.allCases.filter { function in
            function.sample.map { fits(.literal(.value($0), nowhere)) } ?? true
        }.map { Candidate($0.rawValue + "(", note: "function") }
        // `now()` alone is not a condition.
        guard compared != nil, fits(.call("now", [], nowhere)) else { return found }
        return found + [Candidate("now()", note: "function", append: " ")]
    }

    // MARK: Words

    private func words(_ probe: GrammarProbe) -> [Candidate] {
        // Without a default class, a statement must begin with a class.
        if context.defaultClass == nil, probe.record(GrammarProbe.unknownName)?.role == .source {
            return []
        }
        return GrammarWord.all.filter { word in
            word.probes.contains { continuation in
                guard let record = probe.record(continuation), record.role == nil,
                    let scope = scope(record, probe)
                else { return false }
                return fits(word, record, scope)
            }
        }.map { Candidate($0.text, append: $0.append) }
    }

    /// Returns whether a word fits the types of the surrounding expressions.
    private func fits(_ word: GrammarWord, _ record: CursorRecord, _ scope: CursorScope) -> Bool {
        switch word.kind {
        case .comparison where record.needsValue, .logic where record.needsValue: return false
        case .comparison(let comparison, _):
            return record.left.map { scope.compares($0, comparison) } ?? false
        case .arithmetic:
            return record.left.map { scope.compares(arithmetic($0, word.text), .equal) } ?? false
        case .logic:
            guard let left = record.left, !record.leftIsCompared else { return true }
            return scope.isCondition(left)
        case .operand:
            guard let compared = record.compared else {
                return !record.needsValue || GrammarWord.constants[word.text] != nil
            }
            guard let value = GrammarWord.constants[word.text] else { return false }
            return scope.compares(
                compared.left, compared.by, [.literal(.value(value), SourceRange(0..<0))])
        case .order, .stage, .sign: return true
        }
    }

    private func arithmetic(_ left: Expression, _ sign: String) -> Expression {
        let nowhere = SourceRange(0..<0)
        let term = ArithmeticTerm(
            operator: ArithmeticOperator(rawValue: sign) ?? .add, operatorRange: nowhere,
            operand: .literal(.value(.int(1)), nowhere))
        return .arithmetic(left, [term])
    }

    // MARK: Arguments and values

    private func arguments(_ probe: GrammarProbe) -> [Candidate] {
        guard let record = probe.record("$x") ?? probe.record("$x.y") else { return [] }
        // A path can only begin with a variable.
        let takesValues = probe.record("$x") != nil
        let values =
            !takesValues
            ? []
            : context.arguments.values.keys.sorted().map { name in
                Candidate("$" + name, note: context.arguments[name]?.tag.name, append: " ")
            }
        guard let variable = record.enclosing?.last?.variable ?? probe.variable else {
            return values
        }
        return [Candidate("$\(variable).", note: "element")] + values
    }

    /// Returns the values of the property that is compared with a string.
    ///
    /// - Parameter quote: the typed quote, or `nil` if there is none. In that case, the candidates
    ///   include it.
    private func strings(_ probe: GrammarProbe, _ prefix: String, _ quote: Character?)
        -> [Candidate]
    {
        guard let record = probe.record("\"x\""), let compared = record.compared,
            [.equal, .notEqual, .oneOf, .beginsWith].contains(compared.by),
            let scope = scope(record, probe),
            let column = TextColumn(compared.left, in: scope.binder)
        else { return [] }
        let closing = quote ?? "\""
        return environment.texts(column.owner, column.property, prefix).compactMap { text in
            let literal = Canonical.string(text, quote: closing)
            // An escaped text does not begin with the typed characters.
            if quote != nil, !text.hasPrefix(prefix) { return nil }
            return Candidate(
                quote == nil ? literal : String(literal.dropFirst()), shown: literal, append: " ")
        }
    }
}

extension GrammarWord {
    /// The words that are values.
    static let constants: TextMap<Value> = [
        "true": .bool(true), "false": .bool(false), "nil": .null,
    ]
}

extension ScalarFunction {
    /// A sample of the function's values; `nil` if their type depends on the arguments.
    fileprivate var sample: Value? {
        switch self {
        case .upper, .lower, .trim, .substring, .replace, .split, .extract, .substitute, .concat,
            .format, .text:
            .string("x")
        case .truncate, .add, .date: .date(Timestamp(seconds: 0))
        case .bool: .bool(true)
        case .coalesce, .if, .min, .max: nil
        default: .int(1)
        }
    }
}

extension GrammarProbe {
    /// The variable of the innermost subquery that encloses the end of the text.
    var variable: String? { record(GrammarProbe.unknownName)?.enclosing?.last?.variable }
}

extension DatabaseSnapshot {
    /// Returns values of a String property that begin with a prefix.
    ///
    /// At most 200 values are returned, as many as are found in 30 milliseconds.
    package func listedTexts(
        of property: PropertySchema, in owner: ClassSchema, startingWith prefix: String,
        clock: any Clock = SystemClock()
    ) -> [String] {
        guard let table = snapshot.table(owner.id) else { return [] }
        // Read errors are reported when a query runs, not during typing.
        let found = try? table.listedTexts(
            of: property, startingWith: prefix, countMax: 200, nanoseconds: 30_000_000,
            clock: clock)
        return found ?? []
    }
}
