import FirnEngine
import FirnPlatform
import FirnValues

/// What `-v` says about a command: with which settings it ran, what it opened and what it took.
struct CommandAccount {
    private let surroundings: Surroundings
    private let startNanoseconds: UInt64

    init(beginning surroundings: Surroundings) {
        self.surroundings = surroundings
        startNanoseconds = surroundings.services.clock.monotonicNanoseconds()
        guard surroundings.verbosity > 1 else { return }
        if let configuration = surroundings.configuration {
            surroundings.note("settings of \(SafeText.escaping(configuration.path))\n")
        }
        for (name, _) in HelpTopic.variables {
            guard let value = surroundings.variable(name) else { continue }
            surroundings.note("\(name) is \(SafeText.escaping(value))\n")
        }
    }

    /// Says what the whole command took, also if it failed.
    func tell() {
        guard surroundings.verbosity > 0 else { return }
        let elapsed = surroundings.services.clock.monotonicNanoseconds() &- startNanoseconds
        surroundings.note("done after \(Amounts.time(elapsed))\n")
    }
}
