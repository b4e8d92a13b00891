import ArgumentParser
package import FirnEngine
package import FirnFormats
import FirnQuery
import FirnValues

/// `firn schema`: prints the classes.
struct SchemaCommand: Subcommand {
    typealias Run = SchemaRun

    static let configuration = CommandConfiguration(
        commandName: "schema", _superCommandName: "firn",
        abstract: "Print the classes and their properties.",
        usage: "firn schema FILE [CLASS]... [OPTIONS]",
        version: ProgramVersion.text)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Argument(help: ArgumentHelp("Print only these classes.", valueName: "CLASS"))
    var classes: [String] = []

    @Option(
        name: .shortAndLong,
        help: "auto (text on a terminal, otherwise json), text, json or swift (model classes).")
    var format: SchemaFormat = .auto

    @OptionGroup var version: VersionOptions
    @OptionGroup var paging: PagerOptions
    @OptionGroup var common: CommonOptions
}

/// One run of `schema`.
struct SchemaRun: CommandRun {
    private let options: SchemaCommand
    private let environment: CommandEnvironment

    init(_ options: SchemaCommand, _ environment: CommandEnvironment) {
        self.options = options
        self.environment = environment
    }

    func run() throws(CommandFailure) -> ExitStatus {
        let schema: Schema
        do throws(CommandFailure) {
            schema = try OpenDatabase(options.file, at: options.version.reference, environment)
                .snapshot.schema
        } catch {
            guard error.isNotADatabase, ForeignDatabase.isOne(options.file, environment) else {
                throw error
            }
            schema =
                SQLiteDatabase.isDatabase(options.file, environment)
                ? try PlannedSQLite.schema(of: options.file, environment)
                : try PlannedRealm.schema(of: options.file, environment)
        }
        var chosen = schema.listedClasses
        if !options.classes.isEmpty {
            chosen = []
            for name in options.classes {
                chosen.append(try schema.chosen(name, in: options.file))
            }
        }
        let definitions = chosen.map { schema.definition(of: $0) }
        try environment.print(options.format.text(definitions, environment))
        return .ok
    }
}

/// The format of a schema.
enum SchemaFormat: String, ExpressibleByArgument, CaseIterable {
    /// Text on a terminal, otherwise JSON.
    case auto
    case text
    case json
    case swift

    /// Returns the text, which ends with a line feed.
    func text(_ definitions: [ClassDefinition], _ environment: CommandEnvironment) -> String {
        switch self {
        case .auto where environment.outputIsTerminal, .text: SchemaText.text(definitions)
        case .auto, .json: SchemaDocument.json(definitions) + "\n"
        case .swift: SwiftModels.source(definitions)
        }
    }
}

extension Schema {
    /// Returns the class that the user named.
    ///
    /// - Parameter slug: the slug of the error if there is none.
    package func chosen(
        _ name: String, in file: String, _ slug: Slug = .queryUnknownClass
    ) throws(CommandFailure) -> ClassSchema {
        if let schema = classNamed(name) { return schema }
        var diagnostic = Diagnostic(slug, "there is no class \"\(SafeText.escaping(name))\"")
        diagnostic.file = file
        diagnostic.suggestions = NearestNames.misspelt(name, among: listedClasses.map(\.name))
        if let first = diagnostic.suggestions.first {
            diagnostic.details = ["did you mean \"\(first)\"?"]
        }
        diagnostic.details.append(
            listedClasses.isEmpty
                ? "the database has no classes"
                : "classes: \(listedClasses.map(\.name).joined(separator: ", "))")
        throw .diagnostic(diagnostic)
    }
}
