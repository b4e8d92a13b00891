import FirnEngine
import FirnFormats
import FirnPlatform
import FirnTesting
import FirnText
import FirnTools

/// Runs commands in this process, with a real folder and streams in memory.
struct CommandHarness {
    let folder = TemporaryFolder()
    var variables: [String: String] = [:]
    var isTerminal = false
    var columns: Int?
    var services = SystemServices.real
    /// The signal that asks every command to end.
    var signal: Int32?
    /// The number of checks by a command before the signal arrives.
    var signalDelay = 0

    /// The number of rows per group in a new database; `nil` for the default.
    var rowsPerGroup: Int?

    /// The names in a folder, for suggestions.
    var namesInFolder: (String) -> [String] = { _ in [] }

    /// Replaces the clock of the system.
    mutating func use(_ clock: any Clock) {
        services = SystemServices(
            files: services.files, clock: clock, entropy: services.entropy,
            bootIdentity: services.bootIdentity)
    }

    struct Run {
        let ending: FirnCommand.Ending
        let outputBytes: [UInt8]
        let errors: String

        var output: String { String(decoding: outputBytes, as: UTF8.self) }

        var status: Int32? {
            if case .status(let status) = ending { return status.rawValue }
            return nil
        }
    }

    func run(_ words: [String], input: String = "") -> Run {
        run(words, input: Array(input.utf8))
    }

    func run(_ words: [String], input: [UInt8]) -> Run {
        let output = MemorySink()
        let errors = MemorySink()
        let variables = variables
        var environment = CommandEnvironment(
            services: services, input: MemorySource(input, name: "standard input"),
            output: output, errors: errors
        ) { variables[$0] }
        if let rowsPerGroup { environment.storeOptions.rowsPerGroup = rowsPerGroup }
        environment.outputIsTerminal = isTerminal
        environment.windowSize = { [columns] in
            columns.map { WindowSize(columns: $0, rows: 0) }
        }
        environment.namesInFolder = namesInFolder
        let signal = signal
        var looksLeft = signalDelay
        environment.pendingSignal = {
            guard looksLeft <= 0 else {
                looksLeft -= 1
                return nil
            }
            return signal
        }
        let ending = FirnCommand.run(words, in: environment)
        let run = Run(ending: ending, outputBytes: output.bytes, errors: errors.text)
        if run.status != 0 { RemedyCheck.check(words, errors: run.errors) }
        return run
    }

    /// Makes `people.firn`, whose properties are required.
    func makePeople() throws -> String {
        let csv = folder("people.csv")
        try Fixtures.write(
            "id,name,age,city\n7,Bo,41,Oslo\n9,Cy,33,Rome\n11,Al,52,Oslo\n", to: csv)
        let file = folder("people.firn")
        let run = run(
            ["create", file, "--from", csv, "--class", "Person", "--key", "id", "-q"]
                + ["--type", "name=String", "--type", "age=Int", "--type", "city=String"])
        precondition(run.status == 0, run.errors)
        return file
    }
}
