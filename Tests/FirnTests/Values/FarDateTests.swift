import FirnValues
import Foundation
import Testing

@testable import Firn

@Suite("A date that is far away")
struct FarDateTests {
    final class Moment: Object {
        @Persisted var time = Date(timeIntervalSince1970: 0)
    }

    private func stored(_ time: Date) throws -> Date {
        let realm = try makeRealm([Moment.self])
        try realm.write { _ = realm.create(Moment.self, value: ["time": time]) }
        return try #require(realm.objects(Moment.self).first).time
    }

    /// It was no Int64, and stopped the program where it was set.
    @Test("is stored as one that is very far away, or as the beginning of 1970 if it is none")
    func endless() throws {
        #expect(try stored(Date(timeIntervalSince1970: .infinity)) > .distantFuture)
        #expect(try stored(Date(timeIntervalSince1970: -.infinity)) < .distantPast)
        #expect(try stored(Date(timeIntervalSince1970: 1e300)) > .distantFuture)
        #expect(try stored(Date(timeIntervalSince1970: -1e300)) < .distantPast)
        #expect(try stored(Date(timeIntervalSince1970: .nan)) == Date(timeIntervalSince1970: 0))
        // The last ones that are an Int64 as seconds since 2001.
        let last = Date(timeIntervalSinceReferenceDate: 0x1p63.nextDown)
        #expect(try stored(last) > .distantFuture)
        #expect(try stored(Date(timeIntervalSinceReferenceDate: -0x1p63)) < .distantPast)
        #expect(try stored(.distantPast) == .distantPast)
    }

    @Test("is read from a file that other programs wrote")
    func read() {
        #expect(Date(Timestamp(seconds: .min)) < .distantPast)
        #expect(Date(Timestamp(seconds: .max)) > .distantFuture)
    }
}
