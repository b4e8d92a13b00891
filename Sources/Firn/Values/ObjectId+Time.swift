import FirnValues
public import Foundation

extension ObjectId {
    /// Makes an identity of a given time, with the next count of this process.
    ///
    /// Two processes that pass the same time, machine and process can make the same identity;
    /// ``generate()`` is safe from that.
    ///
    /// - Parameters:
    ///   - timestamp: cut to whole seconds; a time outside of 1970 to 2106 becomes the nearest one
    ///     inside.
    ///   - machineId: the lowest 24 bits are taken.
    ///   - processId: the lowest 16 bits are taken.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        let seconds = timestamp.timeIntervalSince1970.rounded(.down)
        let time = UInt32(exactly: Swift.max(0, Swift.min(seconds, Double(UInt32.max)))) ?? 0
        let origin =
            (UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF) << 16
            | UInt64(truncatingIfNeeded: processId) & 0xFFFF
        bits = ObjectIdGenerator.shared.next(seconds: time, origin: origin)
    }

    /// When the identity was made, to the second: its first four bytes.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(bits.high >> 32)) }
}
