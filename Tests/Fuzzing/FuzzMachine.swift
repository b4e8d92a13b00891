import FirnFormats
import FirnPlatform
import FirnShell
import FirnTesting
import FirnText
import FirnTools

/// A machine in memory with a small database, for one input.
struct FuzzMachine {
    static let people = "/people.firn"
    /// The paths of the input itself.
    static let given = "/given.firn"
    static let givenRealm = "/given.realm"
    /// A file with the key of encrypted Realm files: the bytes 0 to 63.
    static let realmKey = "/key"
    /// The path of the input as a database of another program, in memory and on the real disk.
    static let foreign = folder("given.sqlite")
    private static let folder = TemporaryFolder()

    /// The database that every run starts with.
    static let image: Result<[UInt8], any Error> = Result {
        let disk = SimulatedFileSystem()
        let machine = FuzzMachine(disk)
        let csv = "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n"
        try machine.run(
            ["create", people, "--from", "-", "--class", "Person", "--key", "id", "-q"],
            input: Array(csv.utf8), mustSucceed: true)
        try machine.run(
            [
                "alter", people, "add Person.friend Person", "add Person.tags List<String>",
                "add Person.notes Map<Any>", "add Person.seen Date?", "index Person.name",
                "index Person.tags", "unique Person(city, age)", "-q",
            ], input: [], mustSucceed: true)
        guard let bytes = disk.contents(of: people) else {
            throw FuzzFailure(description: "there is no database")
        }
        return bytes
    }

    private let disk: SimulatedFileSystem

    private init(_ disk: SimulatedFileSystem) { self.disk = disk }

    init() throws {
        disk = SimulatedFileSystem()
        disk.setContents(of: Self.people, to: try Self.image.get())
        disk.setContents(of: Self.realmKey, to: Array(0..<64))
    }

    /// Notes may precede the error: the detected format of a file, the current value of a setting.
    private static func saysWhy(_ errors: String) -> Bool {
        errors.split(separator: "\n").contains { $0.hasPrefix("error: ") }
            || errors.hasPrefix("usage")
    }

    /// Runs a command and checks the rules that apply to all commands.
    func run(_ words: [String], input: [UInt8], mustSucceed: Bool = false) throws {
        if words.contains(Self.foreign) { try writeForeign(input) }
        for path in [Self.given, Self.givenRealm] where words.contains(path) {
            disk.setContents(of: path, to: input)
        }
        let output = MemorySink()
        let errors = MemorySink()
        var environment = CommandEnvironment(
            services: disk.services(entropySeed: 1),
            input: MemorySource(input, name: "standard input"), output: output, errors: errors)
        environment.shell = Shell.run
        let ending = FirnCommand.run(words, in: environment)
        guard case .status(let status) = ending else {
            throw FuzzFailure(description: "\(words) ended with \(ending)")
        }
        guard status != .ok else { return }
        // Findings of `check` are not errors of the command.
        if words.first == "check", status.rawValue == 1, !mustSucceed, !output.bytes.isEmpty {
            return
        }
        guard !mustSucceed, Self.saysWhy(errors.text) else {
            throw FuzzFailure(
                description: "\(words) ended with \(status.rawValue), and said: \(errors.text)")
        }
    }

    /// Checks that a database is sound, if it was created.
    func check(_ path: String) throws {
        guard disk.contents(of: path) != nil else { return }
        try run(["check", path, "--deep"], input: [], mustSucceed: true)
    }

    private func writeForeign(_ bytes: [UInt8]) throws {
        disk.setContents(of: Self.foreign, to: bytes)
        let files = SystemServices.real.files
        if try files.status(of: Self.foreign) == nil {
            _ = try files.open(Self.foreign, .createNew)
        }
        let file = try files.open(Self.foreign, .readWrite)
        try file.truncate(to: 0)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    /// Checks that the database is sound after whatever was done to it.
    func checkPeople() throws {
        try run(["check", Self.people, "--deep"], input: [], mustSucceed: true)
    }
}
