// The description of an object restarted its depth at each map and at each value of type Any:
// `print(object)` overflowed the stack if a map of objects, or an object inside an AnyRealmValue,
// led back to it. Descriptions are at most five objects deep, as in Realm, whatever is between the
// objects.

import Firn
import Testing

private class Loop: Object {
    @Persisted var name = "loop"
    @Persisted var map: Map<String, Loop?>
    @Persisted var value: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
}

@Suite("Descriptions of objects in cycles")
struct CyclicDescriptionTests {
    @Test("The description of an object ends even if the object leads back to itself")
    func cycles() {
        let ways: [(Loop) -> Void] = [
            { $0.map["a"] = $0 }, { $0.value = .object($0) },
            { $0.value = .fromDictionary(["a": .fromArray([.object($0)])]) },
            { $0.list.append(.object($0)) },
        ]
        for way in ways {
            let loop = Loop()
            way(loop)
            #expect((2...5).contains(loop.description.components("name = loop")))
            #expect(loop.map.description.isEmpty == false)
            loop.map.removeAll()
            loop.value = .none
            loop.list.removeAll()
        }
    }
}

extension String {
    /// The number of occurrences of a text.
    fileprivate func components(_ text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
