import ArgumentParser
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// `firn stats`: how much there is.
struct StatsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", _superCommandName: "firn",
        abstract: "Print how many objects there are and how much space they take.",
        usage: "firn stats FILE [OPTIONS]",
        version: FirnCommand.version)

    @Argument(help: ArgumentHelp("The database.", valueName: "FILE"))
    var file: String

    @Option(name: .shortAndLong, help: "auto (text on a terminal, otherwise json), text or json.")
    var format: ReportFormat = .auto

    @OptionGroup var common: CommonOptions

    private struct ClassFigures {
        let name: String
        let properties: Int
        let objects: Int
        let rowGroups: Int
    }

    func run(in surroundings: Surroundings) throws(CommandFailure) -> ExitStatus {
        let open = try OpenDatabase(file, surroundings)
        var classes: [ClassFigures] = []
        let size: UInt64
        do throws(StoreError) {
            size = try open.database.store.fileStatus().size
            for schema in open.snapshot.schema.classes {
                guard let table = open.snapshot.snapshot.table(schema.id) else { continue }
                classes.append(
                    ClassFigures(
                        name: schema.name, properties: schema.properties.count,
                        objects: table.liveRowCount, rowGroups: try table.rowGroups().count))
            }
        } catch { throw CommandFailure(error) }
        let version = open.snapshot.version.rawValue
        try surroundings.print(
            format.isText(surroundings)
                ? text(classes, version, size) : json(classes, version, size))
        return .ok
    }

    private func text(_ classes: [ClassFigures], _ version: UInt64, _ size: UInt64) -> String {
        var text = "\(SafeText.escaping(file)): version \(version), \(Amounts.bytes(size))\n"
        for item in classes {
            text += "  \(SafeText.escaping(item.name)): "
            text += Amounts.count(UInt64(clamping: item.objects), "object")
            text += ", " + Amounts.count(UInt64(clamping: item.properties), "property")
            text += ", " + Amounts.count(UInt64(clamping: item.rowGroups), "row group") + "\n"
        }
        return text
    }

    private func json(_ classes: [ClassFigures], _ version: UInt64, _ size: UInt64) -> String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "stats")
        json.add("file", file)
        json.add("version", Int64(clamping: version))
        json.add("bytes", Int64(clamping: size))
        json.add(
            "classes",
            classes.map { item in
                var json = JSONObject()
                json.add("name", item.name)
                json.add("objects", Int64(item.objects))
                json.add("properties", Int64(item.properties))
                json.add("rowGroups", Int64(item.rowGroups))
                return json
            })
        return json.text + "\n"
    }
}
