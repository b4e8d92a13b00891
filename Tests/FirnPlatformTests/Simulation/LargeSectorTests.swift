import FirnPlatform
import FirnTesting
import Testing

@Suite("Power losses of a simulated disk with large sectors")
struct LargeSectorTests {
    private let seeds = TestScale.seeds(300)

    private func images(
        _ disk: SimulatedFileSystem,
        _ loss: (UInt64) -> PowerLoss = { .largeSectors(seed: $0) }
    ) throws -> [[UInt8]] {
        try seeds.map { try #require(disk.powerLossImage(loss($0)).contents(of: "/x")) }
    }

    @Test("A sector of 4 KiB is lost, kept, or torn at its start, its end or in the middle")
    func oneFate() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [UInt8](repeating: 1, count: 3 * 4096))
        let file = try disk.open("/x", .readWrite)
        try file.put([UInt8](repeating: 2, count: 2 * 4096), at: 4096)
        var fates: Set<String> = []
        for image in try images(disk) {
            #expect(image[..<4096].allSatisfy { $0 == 1 })
            for sector in 1...2 {
                let content = image[sector * 4096..<(sector + 1) * 4096]
                let changes = zip(content, content.dropFirst()).count { $0 != $1 }
                #expect(changes <= 2)
                fates.insert("\(content.first ?? 0) \(changes)")
            }
        }
        #expect(fates == ["1 0", "2 0", "1 1", "2 1", "1 2", "2 2"])
    }

    @Test("Bytes that were not written stay, even in a torn sector")
    func neighbours() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [UInt8](repeating: 1, count: 4096))
        let file = try disk.open("/x", .readWrite)
        try file.put([UInt8](repeating: 2, count: 700), at: 1000)
        for image in try images(disk) {
            #expect(image[..<1000].allSatisfy { $0 == 1 } && image[1700...].allSatisfy { $0 == 1 })
        }
    }

    @Test("The new part of a file contains its data, zeros, garbage, or old content of a file")
    func growth() throws {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [UInt8](repeating: 1, count: 100))
        disk.setContents(of: "/gone", to: [UInt8](repeating: 7, count: 9000))
        try disk.remove("/gone")
        try disk.syncDirectory(holding: "/gone")
        let file = try disk.open("/x", .readWrite)
        try file.put([UInt8](repeating: 2, count: 8000), at: 100)
        var seen: Set<String> = []
        for image in try images(disk, { .leftovers(seed: $0) }) {
            #expect(image[..<100].allSatisfy { $0 == 1 })
            let kinds = Set(image.dropFirst(4096))
            switch kinds {
            case [2]: seen.insert("data")
            case [0]: seen.insert("zeros")
            case [7]: seen.insert("old")
            default: if kinds.count > 100 { seen.insert("garbage") }
            }
        }
        #expect(seen == ["data", "zeros", "old", "garbage"])
    }

    @Test("Synced data never changes, and the same loss leaves the same image")
    func synced() throws {
        let disk = SimulatedFileSystem()
        let file = try disk.open("/x", .createNew)
        try disk.syncDirectory(holding: "/x")
        try file.put([UInt8](repeating: 3, count: 6000), at: 0)
        try file.sync(.data)
        #expect(try images(disk).allSatisfy { $0 == [UInt8](repeating: 3, count: 6000) })
        #expect(
            try images(disk, { .leftovers(seed: $0) }).allSatisfy {
                $0 == [UInt8](repeating: 3, count: 6000)
            })
        try file.put([UInt8](repeating: 4, count: 9000), at: 3000)
        #expect(try images(disk) == images(disk))
    }
}
