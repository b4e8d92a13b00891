package import FirnPlatform
package import FirnValues

/// A generator of unique identifiers from the time, a random value of the process, and a counter.
package final class ObjectIdGenerator: Sendable {
    /// The generator of this process.
    package static let shared = ObjectIdGenerator(clock: SystemClock(), entropy: SystemEntropy())

    private struct State {
        /// The process that the origin belongs to.
        ///
        /// A forked child chooses its own.
        var generation: ForkGeneration
        /// A random value of 40 bits, chosen once per process.
        var origin: UInt64
        /// A counter of 24 bits that starts at a random value and wraps around.
        var counter: UInt32

        init(_ entropy: any Entropy) {
            generation = .current
            origin = entropy.random64() >> 24
            counter = UInt32(truncatingIfNeeded: entropy.random64())
        }
    }

    private let clock: any Clock
    private let entropy: any Entropy
    private let state: Guarded<State>

    package init(clock: any Clock, entropy: any Entropy) {
        self.clock = clock
        self.entropy = entropy
        state = Guarded(State(entropy))
    }

    /// Returns the next identifier of this process for the current time.
    package func next() -> ObjectID {
        let seconds = UInt32(clamping: clock.wallTime().seconds)
        return next(seconds: seconds, origin: nil)
    }

    /// Returns the next identifier for a given time.
    ///
    /// - Parameters:
    ///   - seconds: The time in seconds since 1970.
    ///   - origin: A value of 40 bits, or `nil` for the random value of this process.
    package func next(seconds: UInt32, origin: UInt64?) -> ObjectID {
        let (own, counter) = state.withLock { state in
            if !state.generation.isCurrent { state = State(entropy) }
            state.counter &+= 1
            return (state.origin, state.counter)
        }
        let middle = origin ?? own
        // The first 32 bits of the middle part belong to the high word.
        return ObjectID(
            high: UInt64(seconds) << 32 | middle >> 8,
            low: UInt32(truncatingIfNeeded: middle) << 24 | counter & 0xFF_FFFF)
    }
}
