import Testing

@testable import RealmFile

@Suite("Trees of Realm files")
struct TreeCursorTests {
    private func leaves(_ root: UInt64, _ arrays: RealmArrays) throws -> [[Int64]] {
        let cursor = TreeCursor(root, arrays.reader())
        var found: [[Int64]] = []
        while let leaf = try cursor.next() { found.append(try leaf.integers()) }
        return found
    }

    @Test("Leaves are returned in order, from any depth")
    func order() throws {
        var arrays = RealmArrays()
        let parts = (0..<5).map { arrays.add([Int64($0), Int64($0) * 10]) }
        // The first slot has the offsets or the count of a child, the last one the elements below.
        let left = arrays.add([5, Int64(parts[0]), Int64(parts[1]), 9], flags: 0xC0)
        let right = arrays.add([5, Int64(parts[3]), Int64(parts[4]), 9], flags: 0xC0)
        let root = arrays.add([5, Int64(left), Int64(parts[2]), Int64(right), 21], flags: 0xC0)
        #expect(try leaves(root, arrays) == (0..<5).map { [$0, $0 * 10] })
        #expect(try leaves(parts[3], arrays) == [[3, 30]])
        let childless = arrays.add([1, 1], flags: 0xC0)
        #expect(try leaves(childless, arrays).isEmpty)
    }

    @Test("A tree that contains itself is an error")
    func cycle() throws {
        var arrays = RealmArrays()
        let position = UInt64(arrays.bytes.count)
        _ = arrays.add([1, Int64(position), 3], flags: 0xC0)
        #expect(throws: RealmFileError.self) { try leaves(position, arrays) }
        let tooShort = arrays.add([1], flags: 0xC0)
        #expect(throws: RealmFileError.self) { try leaves(tooShort, arrays) }
    }
}
