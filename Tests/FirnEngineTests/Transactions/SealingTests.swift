import FirnPlatform
import FirnTesting
import FirnValues
import HashTreeCollections
import Testing

@testable import FirnEngine

@Suite("The rows of small commits")
struct SealingTests {
    /// Eight groups of a tier become one of the next: the sizes are the digits of the number of
    /// rows in base eight. The first row is in pages, where the log begins.
    @Test("The number of groups of small commits grows with the logarithm of their rows")
    func tiers() throws {
        let store = try MarkStore.make(
            "/m.firn", .always, services: SimulatedFileSystem().services(entropySeed: 1))
        for number in 1..<600 {
            try MarkStore.commit(Int64(number), to: store)
            let snapshot = try store.snapshot()
            let mark = try MarkStore.mark(snapshot.schema)
            let groups = snapshot.overlay?.classes[mark.id]?.appended ?? []
            var (rest, digits) = (number, 0)
            while rest > 0 { (rest, digits) = (rest / 8, digits + rest % 8) }
            #expect(groups.count == digits, "after \(number) commits")
        }
        let snapshot = try store.snapshot()
        let numbers = try contents(of: snapshot).sorted { $0.key < $1.key }.map(\.value)
        #expect(numbers == (0..<600).map { [.int($0)] })
        try store.close()
    }
}
