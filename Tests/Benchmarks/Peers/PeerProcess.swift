import FirnTesting

/// A command line and its input.
struct Invocation {
    let executable: String
    let arguments: [String]
    var input = ""

    /// The same with its standard output redirected to a file.
    func writing(to path: String) -> Invocation {
        Invocation(
            executable: "/bin/sh",
            arguments: ["-c", #"out=$1; shift; exec "$@" > "$out""#, "sh", path, executable]
                + arguments, input: input)
    }
}

/// Runs whole processes and times them from before the start to after the end.
struct PeerProcess {
    /// A slow machine may need minutes for an import; after this time the process counts as hung.
    private static let timeoutSeconds: Double = 600

    private let environment: [String: String]

    /// - Parameter home: the home folder of all processes, without start-up files of the user.
    init(home: String) {
        environment = CommandRunner.plainEnvironment.merging(["HOME": home]) { $1 }
    }

    /// - Throws: an error with the program's error output if it fails: the time of a failure means
    /// nothing.
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
