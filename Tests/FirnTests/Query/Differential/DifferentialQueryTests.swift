import Firn
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnTesting
import FirnValues
import Foundation
import Testing

/// The language and the object API, compared with an evaluator that shares no code with them: no
/// parser, no binder, no plan, and decimals of Foundation.
///
/// It was written after silently wrong answers: `SUBQUERY(many.one, $v, ...)` tested its condition
/// on the objects of `many`; `d == 3.141592653589793238` compared with the nearest Double; `ANY {1,
/// 2} == ALL ints` tested one constant for each element; paths over a link inside an Any found
/// nothing. Trees that were bound wrongly were evaluated rightly, so that oracles for bound trees
/// did not notice.
@Suite("Comparison of the language and the object API with a naive evaluator")
struct DifferentialQueryTests {
    private static let queriesPerWorld = 500

    @Test(
        "All three query APIs find the same random objects for random conditions",
        arguments: TestScale.seeds(40))
    func sameObjects(seed: UInt64) throws {
        let folder = TemporaryFolder()
        let file = folder("world.firn")
        let world = PlainWorld(seed: seed)
        try world.store(at: file)
        let database = try Database.open(file, readOnly: true)
        let snapshot = try database.snapshot()
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: URL(fileURLWithPath: file), readOnly: true, objectTypes: []))
        var queries = RandomPlainQuery(
            world: world, generator: SplitMix64(seed: seed &+ 1_000_003))
        for number in 0..<Self.queriesPerWorld {
            let classIndex = Int.random(
                in: 0..<world.classes.count, using: &queries.generator)
            let query = queries.query(of: classIndex, depth: 2)
            let name = PlainWorld.className(classIndex)
            let expected = (0..<PlainWorld.objectCount).filter { index in
                world.passes(query, PlainReference(classIndex: classIndex, index: index))
            }
            let text = "\(name) \(query.text)"
            let byText = try Self.rows(text, snapshot)
            #expect(byText == expected, "seed \(seed), query \(number): \(text)")
            // The API binds the same text, but evaluates it for its own results.
            if number % 4 == 0 {
                let byAPI = realm.dynamicObjects(name).filter(query.text).map { object in
                    object["serial"] as? Int ?? -1
                }
                #expect(Array(byAPI) == expected, "seed \(seed), query \(number) by API: \(text)")
            }
            if byText != expected { return }
        }
        RunCounters.queries.add(Self.queriesPerWorld)
    }

    private static func rows(_ text: String, _ snapshot: DatabaseSnapshot) throws -> [Int] {
        let query = try BoundQuery(
            text, entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        return try snapshot.rowIDs(query).map { Int($0.rawValue) }
    }
}
