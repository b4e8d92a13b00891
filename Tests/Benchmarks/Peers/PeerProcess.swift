import FirnTesting

/// A command line and what it reads.
struct Invocation {
    let executable: String
    let arguments: [String]
    var input = ""

    /// The same with its standard output in a file.
    func writing(to path: String) -> Invocation {
        Invocation(
            executable: "/bin/sh",
            arguments: ["-c", #"out=$1; shift; exec "$@" > "$out""#, "sh", path, executable]
                + arguments, input: input)
    }
}

/// Runs whole processes and times them from before the start to after the end.
struct PeerProcess {
    /// A slow machine may need minutes for an import; beyond that something hangs.
    private static let timeoutSeconds: Double = 600

    private let environment: [String: String]

    /// - Parameter home: a folder without start-up files of the user, for everybody.
    init(home: String) {
        environment = CommandRunner.plainEnvironment.merging(["HOME": home]) { $1 }
    }

    /// - Throws: an error with its words if it fails: a time of a failure means nothing.
    func run(_ invocation: Invocation) throws -> (nanoseconds: UInt64, output: String) {
        let runner = CommandRunner(
            invocation.executable, environment: environment,
            timeoutSeconds: PeerProcess.timeoutSeconds)
        let (nanoseconds, result) = try Stopwatch.timeAndResult {
            try runner.run(invocation.arguments, input: invocation.input)
        }
        guard result.status == 0 else {
            let words = invocation.arguments.joined(separator: " ")
            throw ProgramError("\(invocation.executable) \(words) failed: \(result)")
        }
        return (nanoseconds, result.outputText)
    }
}
