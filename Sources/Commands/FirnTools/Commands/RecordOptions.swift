import ArgumentParser
import FirnEngine
import FirnFormats
import FirnValues

/// The options for converting input records to objects.
///
/// A debug build of the argument parser reads a group six times to validate it, and as often for each
/// group around it: no group of options contains another one.
struct RecordOptions: ParsableArguments {
    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            """
            The type of a new property: Bool, Int, Int8, Int16, Int32, Float, Double, Decimal128, \
            String, Data, Date, UUID, ObjectId or Any, with ? to allow nil, alone or in List<>, \
            Set<> or Map<>; or the class that it links to; repeatable.
            """,
            valueName: "[CLASS.]PROP=TYPE"))
    var types: [DeclaredType] = []

    @Option(
        name: .customLong("link"),
        help: ArgumentHelp(
            """
            Add a property that links to the object whose TARGET has the value of FIELD; FIELD is \
            kept, and values without an object are counted; repeatable.
            """,
            valueName: "[CLASS.]PROP=FIELD:CLASS.TARGET"))
    var links: [LinkRequest] = []

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "Read this field of the input into the property PROP; repeatable.",
            valueName: "FIELD=PROP"))
    var maps: [FieldMapping] = []

    @Option(
        name: .customLong("nullstr"),
        help: ArgumentHelp(
            "A text that means null in tables, in addition to the empty field.", valueName: "TEXT"))
    var nullText: String?

    @Flag(
        name: .long,
        help: """
            Keep a column text unless an export prints each of its values as exactly the same text.
            """)
    var exact = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "On an invalid record: abort (keep nothing), skip it, or save=FILE: store it in FILE.",
            valueName: "WHAT"))
    var onError: OnError = .abort

    mutating func validate() throws {
        if nullText?.utf8.contains(0) == true {
            throw ValidationError("--nullstr cannot contain a NUL")
        }
    }

    /// Rejects options that conflict with an option for the form of tables.
    func check(with dialect: DialectOptions) throws {
        if exact, dialect.decimal != nil {
            throw ValidationError("--exact keeps numbers as they are, so it excludes --decimal")
        }
    }

    /// Returns the given values, with those for the form of tables.
    func form(in dialect: DialectOptions) -> RecordForm {
        var dialect = dialect.dialect
        dialect.findsNumbers = !exact
        var form = RecordForm()
        form.types = types
        form.links = links
        form.maps = maps
        form.nullText = nullText
        form.isExact = exact
        form.dialect = dialect
        form.onError = onError
        return form
    }
}

/// Shorter names of options for inputs, which mean something else in commands that print rows.
struct InputOptions: ParsableArguments {
    @Option(
        name: .customLong("null"),
        help: ArgumentHelp("The same as --nullstr.", valueName: "TEXT"))
    var nullText: String?

    @Option(
        name: .customLong("skip"),
        help: ArgumentHelp("The same as --skip-lines.", valueName: "N"))
    var skippedLines: Int?

    @Flag(name: .customLong("no-header"), help: "The same as --headerless.")
    var hasNoHeader = false

    /// Moves the values to the options of the longer names, once: the parser validates twice.
    mutating func moved(
        to records: RecordOptions, _ dialect: DialectOptions
    ) throws -> (RecordOptions, DialectOptions) {
        var (records, dialect) = (records, dialect)
        if nullText != nil, records.nullText != nil {
            throw ValidationError("--null is the same as --nullstr")
        }
        if skippedLines != nil, dialect.skippedLines != nil {
            throw ValidationError("--skip is the same as --skip-lines")
        }
        records.nullText = nullText ?? records.nullText
        dialect.skippedLines = skippedLines ?? dialect.skippedLines
        dialect.hasNoHeader = hasNoHeader || dialect.hasNoHeader
        (nullText, skippedLines, hasNoHeader) = (nil, nil, false)
        try dialect.validate()
        try records.validate()
        try records.check(with: dialect)
        return (records, dialect)
    }
}

/// `FIELD=PROP`.
struct FieldMapping: ExpressibleByArgument, Hashable {
    let field: String
    let property: String

    init?(argument: String) {
        guard let (left, right) = argument.cut(at: "="), !left.isEmpty else { return nil }
        field = String(left)
        property = String(right)
        if property.isEmpty { return nil }
    }
}

extension FieldMapping {
    /// Returns the error for a name in an option that no input has.
    ///
    /// - Parameter qualified: the names to suggest instead of the listed ones.
    static func unknown(
        _ name: String, _ what: String, among names: [String],
        orQualified qualified: [String]? = nil
    ) -> CommandFailure {
        var diagnostic = Diagnostic(
            .writeUnknownProperty, "there is no \(what) \"\(SafeText.escaping(name))\"")
        diagnostic.suggestions = NearestNames.misspelt(name, among: qualified ?? names)
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(SafeText.escaping(first))\"?"]
        }
        let shown = names.prefix(60).map { SafeText.escaping($0) }
        diagnostic.details.append("\(what)s: \(shown.joined(separator: ", "))")
        return .diagnostic(diagnostic)
    }
}

extension DeclaredType {
    /// Rejects an unknown type name, which looks like the name of a class.
    ///
    /// - Parameter classes: the existing and planned classes.
    func checkTarget(among classes: [String]) throws(CommandFailure) {
        guard let targetName, !classes.contains(targetName) else { return }
        let shown = SafeText.escaping(targetName)
        var diagnostic = Diagnostic(
            .writeSchema,
            "--type \(SafeText.escaping(property)): there is neither a type nor a class \"\(shown)\""
        )
        diagnostic.suggestions = NearestNames.misspelt(
            targetName, among: TypeText.names + classes)
        diagnostic.remedy =
            diagnostic.suggestions.first.map { "did you mean \"\(SafeText.escaping($0))\"?" }
            ?? "types: \(TypeText.names.joined(separator: ", "))"
        throw .diagnostic(diagnostic)
    }
}

extension DeclaredType: ExpressibleByArgument {
    package init?(argument: String) {
        guard let (left, right) = argument.cut(at: "="), !left.isEmpty,
            let type = TypeText(String(right))
        else { return nil }
        self.init(property: String(left), type: type.type, targetName: type.targetName)
    }
}
