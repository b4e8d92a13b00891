import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues
import Testing

@Suite("Cursors over many row groups")
struct ObjectCursorTests {
    private let folder = TemporaryFolder()

    /// The cursor took the current group from the cache after it had emptied the cache, and stopped
    /// the program.
    @Test("Objects in more row groups than fit into the cache are read in any order")
    func largeGroups() throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SplitMix64(seed: seed)
        var options = StoreOptions()
        options.rowsPerGroup = 4
        let creation = try Store.create(
            folder("texts.firn"), services: .real, options: options)
        let transaction = try creation.store.beginWrite()
        let definition = ClassDefinition(
            name: "Text", properties: [.init(name: "text", type: PropertyType(.string))])
        let schema = try #require(try transaction.addClasses([definition]).first)
        let loader = try transaction.bulkLoader(for: schema.id)
        for number in 0..<160 {
            // Different texts, so that the pages are as large as they are.
            let text = (0..<15_000).map { _ in String(random.next(), radix: 36) }.joined()
            try loader.columns[0].append(.string("\(number) " + text))
            try loader.endRow()
        }
        try loader.finish()
        _ = try transaction.commit()
        try creation.publish()
        let cursor = try #require(ObjectCursor(try creation.store.snapshot(), schema.id))
        for _ in 0..<600 {
            let row = UInt64.random(in: 0..<160, using: &random)
            #expect(try cursor.move(to: RowID(row)))
            #expect(try cursor.string(0)?.hasPrefix("\(row) ") == true, "seed \(seed)")
        }
    }
}
