import FirnValues
public import Foundation

extension ObjectId {
    /// Creates an identifier for a given time, with the next counter value of this process.
    ///
    /// Two processes that pass the same arguments can create equal identifiers. Use ``generate()``
    /// to avoid this.
    ///
    /// - Parameters:
    ///   - timestamp: The time, truncated to seconds. A time outside of 1970 to 2106 is clamped.
    ///   - machineId: A number whose lowest 24 bits are used.
    ///   - processId: A number whose lowest 16 bits are used.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        let seconds = timestamp.timeIntervalSince1970.rounded(.down)
        let time = UInt32(exactly: Swift.max(0, Swift.min(seconds, Double(UInt32.max)))) ?? 0
        let origin =
            (UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF) << 16
            | UInt64(truncatingIfNeeded: processId) & 0xFFFF
        bits = ObjectIdGenerator.shared.next(seconds: time, origin: origin)
    }

    /// The time of creation to the second, as stored in the first four bytes.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(bits.high >> 32)) }
}
