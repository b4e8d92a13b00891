/// The operations of a transaction as bytes, in the order in which they were made.
struct RecordedOperations: Hashable, Sendable {
    var bytes: [UInt8] = []
    var count = 0
    var list: [Operation] = []

    typealias Mark = Int

    var byteCount: Int { list.count * 64 }

    mutating func append(_ operation: Operation) {
        list.append(operation)
        count += 1
    }

    var mark: Mark { list.count }

    mutating func truncate(to mark: Mark) {
        list.removeSubrange(mark...)
        count = mark
    }

    func forEach(_ body: (Operation) throws(StoreError) -> Void) throws(StoreError) {
        for operation in list { try body(operation) }
    }
}
