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
    static let timeoutSeconds: Double = 600

    /// The time and the memory that a process took.
    struct Cost {
        let nanoseconds: UInt64
        /// The peak memory that it occupied, and at least that of this process: the kernel
        /// counts from before the program replaces this one.
        let peakByteCount: UInt64
    }

    /// A process that has ended.
    struct Run {
        let cost: Cost
        let output: String

        var nanoseconds: UInt64 { cost.nanoseconds }
    }

    private let environment: [String: String]
    private let timeoutSeconds: Double

    /// - Parameters:
    ///   - home: the home folder of all processes, without start-up files of the user.
    ///   - timeoutSeconds: the time after which a process counts as hung.
    init(home: String, timeoutSeconds: Double = PeerProcess.timeoutSeconds) {
        self.timeoutSeconds = timeoutSeconds
        environment = CommandRunner.plainEnvironment.merging(["HOME": home]) { $1 }
    }

    /// - Throws: an error with the program's error output if it fails: the time of a failure means
    /// nothing.
    func run(_ invocation: Invocation) throws -> Run {
        let runner = CommandRunner(
            invocation.executable, environment: environment,
            timeoutSeconds: timeoutSeconds)
        let (nanoseconds, result) = try Stopwatch.timeAndResult {
            try runner.run(invocation.arguments, input: invocation.input)
        }
        guard result.status == 0 else {
            let words = invocation.arguments.joined(separator: " ")
            throw ProgramError("\(invocation.executable) \(words) failed: \(result)")
        }
        return Run(
            cost: Cost(nanoseconds: nanoseconds, peakByteCount: result.peakByteCount),
            output: result.outputText)
    }
}
