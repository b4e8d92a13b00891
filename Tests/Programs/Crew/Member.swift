import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Glibc

/// A member of a crew.
struct Member {
    private static let waitNanoseconds: UInt64 = 20_000_000_000

    private let path: String
    private let number: Int
    private let orders: Orders
    private let clock = SystemClock()
    private var generator: SplitMix64

    init(path: String, number: Int, seed: UInt64) throws {
        self.path = path
        self.number = number
        generator = SplitMix64(seed: seed)
        orders = try Orders()
    }

    /// Works until it is asked to stop.
    ///
    /// - Returns: the exit status: 0, or 1 if an invariant was broken.
    mutating func run(_ role: CrewRole) -> Int32 {
        say(.start(nanoseconds: clock.monotonicNanoseconds()))
        do {
            var options = StoreOptions()
            // Some create the log at once, some when they commit again.
            options.logging = generator.happens(oneIn: 2) ? .always : .automatic
            let store = try Store.open(path, readOnly: role == .reader, options: options)
            switch role {
            case .writer: try write(store)
            case .reader: try read(store)
            case .checkpointer: try checkpoint(store)
            case .compactor: try compact(store)
            }
            try store.close()
            say(.closed(nanoseconds: clock.monotonicNanoseconds()))
            return 0
        } catch {
            say(.broken("\(role) \(number): \(error)"))
            return 1
        }
    }

    // MARK: Roles

    private mutating func write(_ store: Store) throws {
        while !orders.stop {
            try commit(store)
            rest(microseconds: 2000)
        }
    }

    private mutating func read(_ store: Store) throws {
        var last = try CrewState(store.snapshot())
        while !orders.stop {
            let state = try CrewState(store.snapshot())
            try state.check(after: last)
            last = state
            say(.saw(version: state.version, nanoseconds: clock.monotonicNanoseconds()))
            rest(microseconds: 10_000)
        }
    }

    private mutating func checkpoint(_ store: Store) throws {
        while !orders.stop {
            try commit(store)
            _ = try store.checkpoint()
            say(.folded(nanoseconds: clock.monotonicNanoseconds()))
            rest(microseconds: 20_000)
        }
    }

    private mutating func compact(_ store: Store) throws {
        while !orders.stop {
            _ = try store.compact()
            say(.folded(nanoseconds: clock.monotonicNanoseconds()))
            rest(microseconds: 50_000)
        }
    }

    private mutating func commit(_ store: Store) throws {
        let transaction = try store.beginWrite(waitNanoseconds: Self.waitNanoseconds)
        let database = try CrewDatabase(transaction.schema)
        let sequence = try database.step(transaction, member: number)
        let version = try transaction.commit()
        say(
            .commit(
                sequence: sequence, version: version.rawValue,
                nanoseconds: clock.monotonicNanoseconds()))
    }

    // MARK: Talking

    /// Yields to other processes, as programs do that work between their commits.
    private mutating func rest(microseconds: UInt64) {
        clock.sleep(nanoseconds: UInt64.random(in: 0..<microseconds, using: &generator) * 1000)
    }

    /// Writes a line in one piece, so that a kill cannot leave half a line.
    private func say(_ message: CrewMessage) {
        var line = message.line + "\n"
        line.withUTF8 { bytes in
            // If the reader has gone, the end of the input shows it.
            _ = Glibc.write(1, bytes.baseAddress, bytes.count)
        }
    }
}
