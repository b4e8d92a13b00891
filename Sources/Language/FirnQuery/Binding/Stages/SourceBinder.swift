import FirnEngine
import FirnSyntax
import FirnValues

/// Determines the class that a statement queries.
struct SourceBinder {
    let statement: Statement
    let text: String
    let context: BindingContext

    /// Returns the class, and the stages for its objects.
    func bind() throws(QueryError) -> (classSchema: ClassSchema, stages: [Stage]) {
        guard let source = statement.source else {
            return (try defaultClass(), statement.stages)
        }
        guard case .className(let name) = source.kind else {
            throw QueryError(
                .usage, "there is no earlier result to refine", at: source.range.bytes,
                hint: "begin with the name of a class", notes: notes)
        }
        if let classSchema = context.schema.classNamed(name) {
            return (classSchema, statement.stages)
        }
        if let meant = defaultClass(spelled: name) { return (meant, statement.stages) }
        if let condition = conditionInstead(source, name) {
            return (try defaultClass(), [condition] + statement.stages)
        }
        throw unknownWord(name, source)
    }

    /// Returns the error for a first word that is not a class.
    ///
    /// If a class was given, the word may also be meant as one of its properties.
    private func unknownWord(_ name: String, _ source: Source) -> QueryError {
        guard let defaultName = context.defaultClass,
            let classSchema = context.schema.classNamed(defaultName), classSchema.name != name
        else { return unknownClass(name, source.range.bytes) }
        let binder = Binder(classSchema: classSchema, context: context, text: "")
        if classSchema.propertyNamed(name) != nil {
            return QueryError(
                .type, "\(name) is a property, not a condition or a class",
                at: source.range.bytes, hint: "compare it, such as \(Canonical.name(name)) != nil")
        }
        let classes = context.schema.listedClasses.map(\.name)
        guard NearestNames.find(name, among: classes).isEmpty else {
            return unknownClass(name, source.range.bytes)
        }
        let nearest = NearestNames.find(name, among: classSchema.properties.map(\.name))
        let unknown = binder.unknownProperty(
            name, in: classSchema, source.range, isFirst: false, isWhole: false)
        return QueryError(
            .unknownClass,
            "no class \"\(name.shortened)\", and no property of that name in class "
                + classSchema.name,
            at: source.range.bytes, hint: nearest.first.map { "did you mean \"\($0)\"?" },
            suggestions: nearest, notes: unknown.notes + context.classNotes)
    }

    /// Returns a condition if the only first word is the name of a Bool property of the default
    /// class and not of a class.
    private func conditionInstead(_ source: Source, _ name: String) -> Stage? {
        guard source.standsAlone, let defaultName = context.defaultClass,
            let classSchema = context.schema.classNamed(defaultName),
            classSchema.propertyNamed(name) != nil
        else { return nil }
        let segment = Path.Segment(.name(name), range: source.range)
        let path = Path(segments: [segment], range: source.range)
        return Stage(.filter(.property(path)), range: source.range)
    }

    /// Returns the default class if it is the only class and its name differs from an unknown name
    /// only in case and underscores: `nyc_flights` for `NycFlights`, the class of a file with that
    /// name.
    ///
    /// A Bool property of that name is a condition instead.
    private func defaultClass(spelled name: String) -> ClassSchema? {
        func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
        guard let defaultName = context.defaultClass, folded(defaultName) == folded(name),
            let classSchema = context.schema.classNamed(defaultName),
            context.schema.listedClasses.count(where: { !$0.isEmbedded }) == 1,
            classSchema.propertyNamed(name)?.type.base != .bool
        else { return nil }
        return classSchema
    }

    private func defaultClass() throws(QueryError) -> ClassSchema {
        guard let name = context.defaultClass else {
            // `Person -age < 5` is a subtraction.
            let first = String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            if context.schema.classNamed(first) != nil {
                throw QueryError(
                    .usage, "an operator follows \(first), which is therefore no class here",
                    at: 0..<first.utf8.count, hint: "write \(first) | before the condition")
            }
            throw QueryError(
                .usage, "the query does not say of which class", at: 0..<0,
                hint: "begin with the name of a class", notes: notes)
        }
        guard let classSchema = context.schema.classNamed(name) else {
            throw unknownClass(name, 0..<0)
        }
        return classSchema
    }

    private func unknownClass(_ name: String, _ range: Range<Int>) -> QueryError {
        context.unknownClass(name, range)
    }

    private var notes: [String] { context.classNotes }
}

extension BindingContext {
    /// Returns the error for a class that does not exist.
    func unknownClass(_ name: String, _ range: Range<Int>) -> QueryError {
        let nearest = NearestNames.find(name, among: schema.listedClasses.map(\.name))
        return QueryError(
            .unknownClass, "no class \"\(name.shortened)\" in this database", at: range,
            hint: nearest.first.map { "did you mean \"\($0)\"?" } ?? Self.habits[name.uppercased()],
            suggestions: nearest, notes: classNotes)
    }

    /// Hints for the first words of statements in other programs' languages.
    private static let habits: TextMap = [
        "DESCRIBE": "in the shell, .describe CLASS summarizes the values of a class",
        "SUMMARIZE": "in the shell, .describe CLASS summarizes the values of a class",
        "EXPLAIN": "a query that ends with | explain shows its plan",
        "FROM": "the class comes first: CLASS condition | stage",
        "SHOW": "firn schema FILE lists the classes, and .classes in the shell",
    ]

    var classNotes: [String] {
        let names = schema.listedClasses.map(\.name).sorted()
        return names.isEmpty ? [] : ["classes: " + names.joined(separator: " · ")]
    }
}
