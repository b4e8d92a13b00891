/// The operations of a transaction as bytes, in the order in which they were made.
struct RecordedOperations: Hashable, Sendable {
    var bytes: [UInt8] = []
    var count = 0
}
