import FirnPlatform

/// One call that reached a simulated disk.
package struct SimulatedOperation: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of calls.
    package enum Kind: Sendable, CaseIterable {
        case write
        case truncate
        case reserve
        case sync
        case create
        case rename
        case remove
        case syncDirectory
        case open
        case read
        case status
        case lock
        // Accesses to shared memory, which cannot fail; they are listed so that tests can intervene
        // and another process can run in between. The offset is the number of the word.
        case load
        case store
        case exchange
        case add
        case wait
        case wake
        /// A thread sleeps; there is no file.
        case sleep

        /// Whether it changes the current or the durable state of the disk. Only these are counted.
        ///
        /// Words of shared memory are not: they are for living processes, and those that reach the
        /// platter are worthless after a boot.
        package var changesDisk: Bool {
            switch self {
            case .write, .truncate, .reserve, .sync: true
            case .create, .rename, .remove, .syncDirectory: true
            case .open, .read, .status, .lock: false
            case .load, .store, .exchange, .add, .wait, .wake, .sleep: false
            }
        }
    }

    package let kind: Kind
    /// The path as passed by the caller.
    package let path: String
    package let offset: UInt64
    package let count: Int

    init(_ kind: Kind, _ path: String, offset: UInt64 = 0, count: Int = 0) {
        self.kind = kind
        self.path = path
        self.offset = offset
        self.count = count
    }

    package var description: String {
        switch kind {
        case .write, .read, .reserve: "\(kind) \(path) [\(offset), +\(count)]"
        case .truncate: "truncate \(path) to \(offset)"
        case .load, .store, .exchange, .add, .wait, .wake: "\(kind) \(path) word \(offset)"
        case .sleep: "sleep"
        default: "\(kind) \(path)"
        }
    }
}

/// The part of an operation that happens before the crash or the error.
package enum AppliedPart: Sendable, CaseIterable {
    case nothing
    /// The first half of the bytes of a write; nothing of other operations.
    case half
    case everything
}

/// A fault of a simulated disk.
package struct Fault: Sendable {
    /// The effect of a fault.
    package enum Effect: Sendable {
        /// The system refuses. A sync that fails also forgets the data that it should have written.
        case fails(errno: Int32, applying: AppliedPart = .nothing)
        /// EINTR, which files retry themselves: only the count of operations shows it.
        case interrupted
        /// Half of the bytes; files transfer the rest themselves.
        case shortTransfer
        /// One wrong bit in data that is read, in the byte of the transfer with this number (modulo
        /// its size). The disk itself is not harmed.
        case flipsBit(byte: Int, bit: Int)
        /// A write that is acknowledged and never stored.
        case losesWrite
        /// A write that goes to another offset.
        case misdirects(by: Int)
    }

    /// The kinds of operations that it applies to; others do not count.
    package var kinds: Set<SimulatedOperation.Kind>
    /// The number of the operation among those that match, from 0.
    package var ordinal: Int
    package var effect: Effect
    /// Whether it applies to all later operations, too.
    package var isSticky: Bool
    /// Only files whose path has this suffix; empty for all.
    package var pathSuffix: String

    package init(
        _ effect: Effect, at ordinal: Int,
        of kinds: Set<SimulatedOperation.Kind> = Set(
            SimulatedOperation.Kind.allCases.filter(\.changesDisk)),
        isSticky: Bool = false, pathSuffix: String = ""
    ) {
        self.effect = effect
        self.ordinal = ordinal
        self.kinds = kinds
        self.isSticky = isSticky
        self.pathSuffix = pathSuffix
    }
}
