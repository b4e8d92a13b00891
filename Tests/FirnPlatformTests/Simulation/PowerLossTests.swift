import FirnPlatform
import FirnTesting
import Testing

@Suite("Power losses of the simulated disk")
struct PowerLossTests {
    private let seeds = TestScale.seeds(300)

    /// A disk with a durable file of the given number of sectors full of 1, and its open handle.
    private func disk(sectors: Int) throws -> (SimulatedFileSystem, any File) {
        let disk = SimulatedFileSystem()
        disk.setContents(of: "/x", to: [UInt8](repeating: 1, count: sectors * 512))
        return (disk, try disk.open("/x", .readWrite))
    }

    private func bytes(_ disk: SimulatedFileSystem) throws -> [UInt8] {
        try #require(disk.contents(of: "/x"))
    }

    @Test("Every sector that was not synced is independently lost, kept or torn")
    func sectorsAreIndependent() throws {
        let (disk, file) = try disk(sectors: 3)
        try file.put([UInt8](repeating: 2, count: 3 * 512), at: 0)
        var seen: Set<String> = []
        for seed in seeds {
            let image = try bytes(disk.powerLossImage(.random(seed: seed)))
            seen.insert(
                (0..<3).map { sector -> String in
                    let content = image[sector * 512..<(sector + 1) * 512]
                    let changes = zip(content, content.dropFirst()).count { $0 != $1 }
                    #expect(changes <= 1, "a torn sector has two parts, seed \(seed)")
                    if changes == 1 { return "torn" }
                    return content.first == 1 ? "lost" : "kept"
                }.joined(separator: " "))
        }
        // Every combination of losing and keeping, and tears at every position.
        for first in ["lost", "kept"] {
            for second in ["lost", "kept"] {
                for third in ["lost", "kept"] {
                    #expect(seen.contains("\(first) \(second) \(third)"))
                }
            }
        }
        #expect(seen.contains { $0.hasPrefix("torn") } && seen.contains { $0.hasSuffix("torn") })
    }

    @Test("A torn sector has its new part at the start or at the end")
    func tears() throws {
        let (disk, file) = try disk(sectors: 1)
        try file.put([UInt8](repeating: 2, count: 512), at: 0)
        var starts: Set<UInt8> = []
        for seed in seeds {
            let image = try bytes(disk.powerLossImage(.random(seed: seed)))
            if Set(image).count == 2 { starts.insert(image[0]) }
        }
        #expect(starts == [1, 2])
    }

    @Test("Synced data never changes", arguments: TestScale.seeds(20))
    func syncedDataStays(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (disk, file) = try disk(sectors: 8)
        var durable = try bytes(disk)
        for _ in 0..<30 {
            let touched = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                let start = Int.random(in: 0..<8 * 512, using: &generator)
                return start..<min(8 * 512, start + Int.random(in: 1..<700, using: &generator))
            }
            for range in touched {
                try file.put(generator.bytes(range.count), at: UInt64(range.lowerBound))
            }
            let image = try bytes(disk.powerLossImage(.random(seed: generator.next())))
            for index in durable.indices where !touched.contains(where: { $0.contains(index) }) {
                // This includes the bytes beside the written ones in the same sector.
                #expect(image[index] == durable[index], "seed \(seed), byte \(index)")
            }
            try file.sync(.data)
            durable = try bytes(disk)
            #expect(disk.durableContents(of: "/x") == durable)
            #expect(try bytes(disk.powerLossImage(.random(seed: generator.next()))) == durable)
        }
    }

    @Test("A sector may contain data that was overwritten before the sync")
    func earlierVersions() throws {
        let (disk, file) = try disk(sectors: 1)
        try file.put([UInt8](repeating: 2, count: 512), at: 0)
        try file.put([UInt8](repeating: 3, count: 512), at: 0)
        let whole = try Set(
            seeds.map { try bytes(disk.powerLossImage(.random(seed: $0))) }
                .filter { Set($0).count == 1 }.map { $0[0] })
        #expect(whole == [1, 2, 3])
    }

    @Test("Growth is lost, kept, partly kept, or filled with zeros")
    func growth() throws {
        let (disk, file) = try disk(sectors: 1)
        try file.put([UInt8](repeating: 2, count: 1024), at: 512)
        let images = try seeds.map { try bytes(disk.powerLossImage(.random(seed: $0))) }
        #expect(images.contains { $0.count == 512 })
        #expect(images.contains { $0.count == 1536 && $0.allSatisfy { $0 != 0 } })
        #expect(images.contains { $0.count == 1536 && $0[512...].contains(0) })
        #expect(images.contains { $0.count > 512 && $0.count < 1536 })
        #expect(images.allSatisfy { $0[..<512].allSatisfy { $0 == 1 } })
    }

    @Test("A truncation that was not synced may be undone")
    func cut() throws {
        let (disk, file) = try disk(sectors: 2)
        try file.truncate(to: 100)
        let images = try seeds.map { try bytes(disk.powerLossImage(.random(seed: $0))) }
        #expect(images.contains { $0.count == 1024 } && images.contains { $0.count == 100 })
        #expect(images.allSatisfy { $0[..<100].allSatisfy { $0 == 1 } })
        try file.sync(.data)
        #expect(try bytes(disk.powerLossImage(.nothingSurvives)).count == 100)
    }

    @Test("One extreme keeps everything, and the other loses everything")
    func extremes() throws {
        let (disk, file) = try disk(sectors: 3)
        try file.put([UInt8](repeating: 2, count: 700), at: 600)
        try file.put([3], at: 5000)
        #expect(
            try bytes(disk.powerLossImage(.nothingSurvives))
                == [UInt8](repeating: 1, count: 3 * 512))
        #expect(try bytes(disk.powerLossImage(.everythingSurvives)) == bytes(disk))
    }

    @Test("The same loss leaves the same image")
    func determinism() throws {
        let (disk, file) = try disk(sectors: 20)
        try file.put(SplitMix64.bytes(seed: 1, 10_000), at: 100)
        for seed in seeds.prefix(20) {
            #expect(
                try bytes(disk.powerLossImage(.random(seed: seed)))
                    == bytes(disk.powerLossImage(.random(seed: seed))))
        }
        #expect(
            try Set(seeds.prefix(20).map { try bytes(disk.powerLossImage(.random(seed: $0))) })
                .count > 15)
    }

    @Test("An image works like any other disk, and the original is unchanged")
    func imagesAreDisks() throws {
        let (disk, file) = try disk(sectors: 1)
        try file.put([2], at: 0)
        let image = disk.powerLossImage(.nothingSurvives)
        let copy = try image.open("/x", .readWrite)
        try copy.put([9], at: 0)
        try copy.sync(.full)
        #expect(try file.get(1) == [2])
        #expect(image.operationCount == 2)
        #expect(image.services().bootIdentity != disk.services().bootIdentity)
    }
}

extension SplitMix64 {
    static func bytes(seed: UInt64, _ count: Int) -> [UInt8] {
        var generator = SplitMix64(seed: seed)
        return generator.bytes(count)
    }
}
