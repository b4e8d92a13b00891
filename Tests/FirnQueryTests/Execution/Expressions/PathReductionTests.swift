import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

/// A condition on the mean of all flights of a carrier walked all of them again for each flight.
@Suite("Reductions of paths through links")
struct PathReductionTests {
    private let flightCount = 3_000
    private let carrierCount = 7

    /// Every eleventh flight has no carrier, and the last carrier has no flights.
    private func carrier(_ flight: Int) -> Int? {
        flight % 11 == 0 ? nil : flight % (carrierCount - 1)
    }

    private func delay(_ flight: Int) -> Int { flight * 37 % 101 - 20 }

    private func store() throws -> LinkedStore {
        try LinkedStore(
            [
                ClassDefinition(
                    name: "Airline", properties: [LinkedStore.property("name", .string)]),
                ClassDefinition(
                    name: "Flight",
                    properties: [
                        LinkedStore.property("delay", .int),
                        LinkedStore.property("airline", .link, target: "Airline"),
                    ]),
            ],
            [
                "Airline": (0..<carrierCount).map { [.string("carrier \($0)")] },
                "Flight": (0..<flightCount).map { flight in
                    [
                        .int(Int64(delay(flight))),
                        carrier(flight).map { LinkedStore.link(1, UInt64($0)) } ?? .null,
                    ]
                },
            ])
    }

    private func delays(ofCarrier wanted: Int) -> [Int] {
        (0..<flightCount).filter { carrier($0) == wanted }.map(delay)
    }

    @Test("A reduction over the objects that share a link compares as if computed for each object")
    func correlated() throws {
        let store = try store()
        let late = (0..<flightCount).filter { flight in
            guard let carrier = carrier(flight) else { return false }
            let all = delays(ofCarrier: carrier)
            return Double(delay(flight)) > Double(all.reduce(0, +)) / Double(all.count)
        }
        #expect(
            try store.ids("Flight delay > airline.@links.Flight.airline.@avg.delay")
                == late.map(UInt64.init))
        let most = (0..<flightCount).filter { flight in
            carrier(flight).map { delay(flight) == delays(ofCarrier: $0).max() } ?? false
        }
        #expect(
            try store.ids("Flight delay == airline.@links.Flight.airline.@max.delay")
                == most.map(UInt64.init))
        let none = (0..<flightCount).filter { carrier($0) == nil }
        #expect(
            try store.ids("Flight airline.@links.Flight.airline.@count == 0")
                == none.map(UInt64.init))
    }

    @Test("A reduction is computed once for each object that a link leads to")
    func once() throws {
        let store = try store()
        let snapshot = try store.store.snapshot()
        let query = try BoundQuery(
            "Flight delay > airline.@links.Flight.airline.@avg.delay", entry: .pipeline,
            in: BindingContext(schema: snapshot.schema, now: Timestamp(seconds: 0)))
        let execution = try Execution(query, on: snapshot)
        let rows = try execution.rows()
        while try rows.next() != nil {}
        #expect(execution.reader.computedReductionCount == carrierCount - 1)
    }

    @Test(
        "A scan of all objects with links finds the same as their index, even after deletions",
        arguments: ["@sum", "@avg", "@min", "@max"], [false, true])
    func scan(reduction: String, deletes: Bool) throws {
        let store = try store()
        if deletes {
            let transaction = try store.store.beginWrite()
            for flight in stride(from: 5, to: flightCount, by: 13) {
                try transaction.delete(RowID(UInt64(flight)), in: ClassID(2))
            }
            try transaction.delete(RowID(3), in: ClassID(1))
            _ = try transaction.commit()
        }
        for bound in [-20, 0, 28, 31, 79, 80, 1000] {
            // Starting at the airlines, the index of the links finds their flights.
            let airlines = Set(
                try store.ids("Airline @links.Flight.airline.\(reduction).delay > \(bound)"))
            let flights = try store.ids("Flight").filter { flight in
                let carrier = carrier(Int(flight)).map { UInt64($0) }
                // The sum of nothing is 0.
                guard let carrier, !deletes || carrier != 3 else {
                    return reduction == "@sum" && bound < 0
                }
                return airlines.contains(carrier)
            }
            #expect(
                try store.ids(
                    "Flight airline.@links.Flight.airline.\(reduction).delay > \(bound)")
                    == flights)
        }
    }
}
