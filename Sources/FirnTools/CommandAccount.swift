import FirnEngine
import FirnPlatform
import FirnValues

/// What `-v` says about a command: with which settings it ran, what it opened and what it took.
struct CommandAccount {
    private let environment: CommandEnvironment
    private let startNanoseconds: UInt64

    init(beginning environment: CommandEnvironment) {
        self.environment = environment
        startNanoseconds = environment.services.clock.monotonicNanoseconds()
        guard environment.verbosity > 1 else { return }
        if let configuration = environment.configuration {
            environment.note("settings from \(SafeText.escaping(configuration.path))\n")
        }
        for (name, _) in HelpTopic.variables {
            guard let value = environment.variable(name) else { continue }
            environment.note("\(name) is \(SafeText.escaping(value))\n")
        }
    }

    /// Says what the whole command took, also if it failed.
    func tell() {
        guard environment.verbosity > 0 else { return }
        let elapsed = environment.services.clock.monotonicNanoseconds() &- startNanoseconds
        environment.note("done after \(Formatting.time(elapsed))\n")
    }
}
