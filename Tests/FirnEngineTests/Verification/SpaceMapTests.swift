import FirnCodec
import FirnValues
import Testing

@testable import FirnEngine

/// A blob whose reference was forged to claim the pages of an older version passed the check, and the next
/// deletion gave the pages of that version to others.
@Suite("The map of space")
struct SpaceMapTests {
    private func map(_ used: [Extent], kept: [Extent]) -> SpaceMap {
        var map = SpaceMap()
        for extent in used { map.use(extent, by: "a page") }
        map.keep(Set(kept))
        return map
    }

    @Test(
        "A blob with bytes after its end is damaged", .tags(.security), arguments: [1, 512, 4096])
    func longBlob(count: Int) throws {
        let raw = [UInt8](repeating: 7, count: 100_000)
        var stored = Blob.encode(raw, level: .fast)
        #expect(try stored.withUnsafeBytes { try Blob.decode($0) } == raw)
        stored += [UInt8](repeating: 0, count: count)
        #expect(throws: CodecError.self) { try stored.withUnsafeBytes { try Blob.decode($0) } }
    }

    @Test("Versions share whole extents, and never parts of them")
    func kept() {
        let page = Extent(start: 16, length: 4)
        #expect(map([page], kept: [page]).problemsOfKept(amongFree: []).isEmpty)
        #expect(
            map([page], kept: [Extent(start: 20, length: 1)]).problemsOfKept(amongFree: []).isEmpty)
        for part in [
            Extent(start: 17, length: 1), Extent(start: 19, length: 2),
            Extent(start: 16, length: 3),
        ] {
            #expect(map([page], kept: [part]).problemsOfKept(amongFree: []).count == 1)
            #expect(map([], kept: [page, part]).problemsOfKept(amongFree: []).count == 1)
            // Space that is free in the newest version is still that of the older ones.
            #expect(map([page], kept: [part]).problemsOfKept(amongFree: [page]).isEmpty)
        }
    }
}
