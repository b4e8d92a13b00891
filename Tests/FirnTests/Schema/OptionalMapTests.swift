// In some places a map with optional values was reported never to have nil. The schema declares for
// maps, as for lists and sets, whether an element may be nil.

import Firn
import Foundation
import Testing

private class Counters: Object {
    @Persisted var maybe: Map<String, Int?>
    @Persisted var never: Map<String, Int>
    @Persisted var anything: Map<String, AnyRealmValue>
    @Persisted var links: Map<String, Counters?>
    @Persisted var list: List<Int?>
}

@Suite("Maps with optional values")
struct OptionalMapTests {
    @Test("The schema reports optional values of a map, and nil values can be found")
    func schema() throws {
        let realm = try Realm(
            configuration: Realm.Configuration(
                inMemoryIdentifier: UUID().uuidString, objectTypes: [Counters.self]))
        let schema = try #require(realm.schema["Counters"])
        for name in ["maybe", "anything", "links", "list"] {
            #expect(schema[name]?.isOptional == true, "\(name)")
            #expect(Counters().objectSchema[name]?.isOptional == true, "\(name)")
        }
        #expect(schema["never"]?.isOptional == false)
        let counters = Counters()
        counters.maybe.updateValue(nil, forKey: "a")
        counters.maybe["b"] = 1
        counters.links.updateValue(nil, forKey: "a")
        try realm.write { realm.add([counters, Counters()]) }
        #expect(counters.maybe["a"] == .some(nil))
        #expect(counters.maybe.count == 2)
        #expect(realm.objects(Counters.self).where { $0.maybe["a"] == nil }.count == 2)
        #expect(realm.objects(Counters.self).where { $0.maybe["b"] == 1 }.count == 1)
        #expect(realm.dynamicObjects("Counters")[0].objectSchema["maybe"]?.isOptional == true)
    }
}
