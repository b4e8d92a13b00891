import Firn
import Foundation
import Testing

@Suite("ObjectId of the object API")
struct ObjectIdTests {
    @Test("A string round-trips in lower case")
    func texts() throws {
        let id = try ObjectId(string: "6560C1D49f8a3b2c7d00012e")
        #expect(id.stringValue == "6560c1d49f8a3b2c7d00012e" && id.description == id.stringValue)
        #expect(id == ObjectId("6560c1d49f8a3b2c7d00012e"))
        #expect(id.timestamp == Date(timeIntervalSince1970: 0x6560_C1D4))
        #expect(ObjectId().stringValue == "000000000000000000000000")
    }

    @Test(
        "Any other string is refused",
        arguments: [
            "", "6560c1d49f8a3b2c7d00012", "6560c1d49f8a3b2c7d00012ef", "6560c1d49f8a3b2c7d00012g",
        ])
    func refused(text: String) {
        let error = #expect(throws: Realm.Error.self) { try ObjectId(string: text) }
        #expect(error?.code == .invalidInput)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ObjectId].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test("An invalid literal stops the program")
    func literals() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectId("no id")
        }.says("\"no id\" is not an ObjectId: write 24 hexadecimal digits")
    }

    @Test("Object ids that threads make concurrently are all distinct")
    func generation() async {
        let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let ids = await withTaskGroup(of: [ObjectId].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<5000).map { _ in ObjectId.generate() } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == 40_000)
        #expect(ids.allSatisfy { before <= $0.timestamp && $0.timestamp <= Date() })
        // The same process: the five bytes after the time.
        #expect(Set(ids.map { $0.stringValue.dropFirst(8).prefix(10) }).count == 1)
    }

    @Test("The components of an object id are at their positions")
    func parts() {
        let id = ObjectId(
            timestamp: Date(timeIntervalSince1970: 1_700_000_000.9), machineId: 0x12A_BCDEF,
            processId: 0x1234)
        #expect(id.stringValue.hasPrefix("6553f100abcdef1234"))
        #expect(id.timestamp == Date(timeIntervalSince1970: 1_700_000_000))
        let next = ObjectId(timestamp: .distantPast, machineId: 0, processId: 0)
        #expect(next.timestamp == Date(timeIntervalSince1970: 0))
        let last = ObjectId(timestamp: .distantFuture, machineId: 0, processId: 0)
        #expect(last.timestamp == Date(timeIntervalSince1970: 0xFFFF_FFFF))
        #expect(id != ObjectId(timestamp: id.timestamp, machineId: 0xABCDEF, processId: 0x1234))
    }

    @Test("Object ids are ordered by bytes, and encoded as strings")
    func order() throws {
        let ids = [
            ObjectId("000000000000000000000001"), ObjectId("00000000000000010000000f"),
            ObjectId("0f0000000000000000000000"), ObjectId("f00000000000000000000000"),
        ]
        #expect(ids.reversed().sorted() == ids)
        #expect(ids[0] < ids[1] && ids[1] <= ids[1] && ids[3] > ids[2])
        let data = try JSONEncoder().encode(ids)
        #expect(try JSONDecoder().decode([ObjectId].self, from: data) == ids)
    }
}
