package import FirnPlatform
package import FirnValues

/// Makes identities that differ: the time, what this process drew by lot, and a counter.
package final class ObjectIdGenerator: Sendable {
    /// The one of this process.
    package static let shared = ObjectIdGenerator(clock: SystemClock(), entropy: SystemEntropy())

    private struct State {
        /// The process that the origin belongs to: a forked child draws its own.
        var generation: ForkGeneration
        /// 40 bits.
        var origin: UInt64
        /// 24 bits; it starts anywhere, and goes around.
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

    /// The next identity of this process at this time.
    package func next() -> ObjectID {
        let seconds = UInt32(clamping: clock.wallTime().seconds)
        return next(seconds: seconds, origin: nil)
    }

    /// The next identity of a given time.
    ///
    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - origin: 40 bits; that of this process if there is none.
    package func next(seconds: UInt32, origin: UInt64?) -> ObjectID {
        let (own, counter) = state.withLock { state in
            if !state.generation.isCurrent { state = State(entropy) }
            state.counter &+= 1
            return (state.origin, state.counter)
        }
        let middle = origin ?? own
        // The first 32 bits of the middle belong to the upper half.
        return ObjectID(
            high: UInt64(seconds) << 32 | middle >> 8,
            low: UInt32(truncatingIfNeeded: middle) << 24 | counter & 0xFF_FFFF)
    }
}
