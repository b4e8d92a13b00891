import FirnTesting
import FirnValues
import HashTreeCollections
import Testing

@testable import FirnEngine

@Suite("The list of changed links")
struct LinkListTests {
    @Test("The list of changed links counts links like a dictionary", arguments: TestScale.seeds(8))
    func againstModel(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var list = LinkList([:])
        var model: [ObjectReference: [RowID: Int]] = [:]
        for step in 0..<4000 {
            let target = ObjectReference(
                classID: ClassID(1), rowID: RowID(generator.next() % 40))
            let source = RowID(generator.next() % 12)
            let count = generator.happens(oneIn: 2) ? 1 : -1
            list.add(count, target, source)
            let sum = (model[target]?[source] ?? 0) + count
            model[target, default: [:]][source] = sum == 0 ? nil : sum
            if model[target]?.isEmpty == true { model[target] = nil }
            let found = list.dictionary[target].map { sources in
                Dictionary(uniqueKeysWithValues: sources.map { ($0.key, $0.value) })
            }
            guard found == model[target] else {
                Issue.record("seed \(seed), step \(step)")
                return
            }
        }
        #expect(list.dictionary.count == model.count)
    }

    @Test(
        "Links that are added together count the same as links added one by one",
        arguments: TestScale.seeds(8))
    func together(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var together = LinkList([:])
        var single = LinkList([:])
        for _ in 0..<40 {
            let links = (0..<Int.random(in: 0...100, using: &generator)).map { _ in
                (
                    target: ObjectReference(
                        classID: ClassID(UInt32.random(in: 1...2, using: &generator)),
                        rowID: RowID(generator.next() % 10)),
                    source: RowID(generator.next() % 12)
                )
            }
            let count = generator.happens(oneIn: 2) ? 1 : -1
            together.add(count, links)
            for link in links { single.add(count, link.target, link.source) }
            #expect(together.dictionary == single.dictionary, "seed \(seed)")
        }
    }
}
