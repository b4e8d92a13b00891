import Firn
import FirnPlatform
import Foundation

/// What the object API costs inside of a process.
struct ObjectBenchmarks {
    private static let insertCount = 100_000
    private static let objectCount = 1_000_000
    private static let linkCount = 100_000

    private let folder: String
    private let realm: Realm

    /// - Parameter folder: for the databases; one in memory leaves the disk out.
    init(folder: String) throws {
        self.folder = folder
        realm = try Realm(configuration: ObjectBenchmarks.configuration("\(folder)/objects.firn"))
        let names = (0..<1024).map { "name number \($0)" }
        try realm.write {
            for number in 0..<ObjectBenchmarks.objectCount {
                realm.add(ObjectBenchmarks.citizen(number, names))
            }
        }
        try realm.write {
            for number in 0..<ObjectBenchmarks.linkCount {
                let household = Household()
                household.head = realm.object(
                    ofType: Citizen.self, forPrimaryKey: number * 7919 % 1_000_000)
                realm.add(household)
            }
        }
    }

    private static func configuration(_ path: String) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), objectTypes: [Citizen.self, Household.self])
    }

    private static func citizen(_ number: Int, _ names: [String]) -> Citizen {
        let citizen = Citizen()
        citizen.id = number
        citizen.name = names[number & 1023]
        citizen.age = number % 90
        citizen.score = Double(number) / 4
        citizen.flag = number % 3 == 0
        citizen.when = Date(timeIntervalSince1970: Double(number) * 3600)
        citizen.city = names[number & 15]
        return citizen
    }

    /// Removes what was made.
    func cleanUp() throws {
        try SystemServices.real.files.remove("\(folder)/objects.firn")
    }

    var all: [Benchmark] {
        [insertion, accessors, strings, iteration, filter, links, appends, oneProperty]
    }

    private var insertion: Benchmark {
        let path = "\(folder)/inserted.firn"
        let names = (0..<1024).map { "name number \($0)" }
        return Benchmark(
            "add 100,000 objects in one transaction", weight: .heavy,
            rowCount: ObjectBenchmarks.insertCount,
            cleanUp: { _ = try Realm.deleteFiles(for: ObjectBenchmarks.configuration(path)) },
            work: {
                let realm = try Realm(configuration: ObjectBenchmarks.configuration(path))
                try realm.write {
                    for number in 0..<ObjectBenchmarks.insertCount {
                        realm.add(ObjectBenchmarks.citizen(number, names))
                    }
                }
            })
    }

    private var accessors: Benchmark {
        let citizens = Array(realm.objects(Citizen.self).prefix(1000))
        return Benchmark(
            "read 1,000,000 numbers through accessors", rowCount: 1_000_000,
            work: {
                var sum = 0
                for _ in 0..<1000 {
                    for citizen in citizens { sum &+= citizen.age }
                }
                precondition(sum != 0)
            })
    }

    private var strings: Benchmark {
        let citizens = Array(realm.objects(Citizen.self).prefix(1000))
        return Benchmark(
            "read 1,000,000 strings through accessors", rowCount: 1_000_000,
            work: {
                var sum = 0
                for _ in 0..<1000 {
                    for citizen in citizens { sum &+= citizen.name.utf8.count }
                }
                precondition(sum != 0)
            })
    }

    private var iteration: Benchmark {
        let citizens = realm.objects(Citizen.self)
        return Benchmark(
            "iterate 1,000,000 objects, read one number", weight: .heavy,
            rowCount: ObjectBenchmarks.objectCount,
            work: {
                var sum = 0
                for citizen in citizens { sum &+= citizen.age }
                precondition(sum != 0)
            })
    }

    private var filter: Benchmark {
        Benchmark(
            "filter 1,000,000 objects and count", rowCount: ObjectBenchmarks.objectCount,
            work: {
                let found = realm.objects(Citizen.self).filter("age > 60 AND flag == true")
                precondition(found.count > 0)
            })
    }

    private var links: Benchmark {
        let households = Array(realm.objects(Household.self))
        return Benchmark(
            "follow 100,000 links, read one number", weight: .heavy,
            rowCount: ObjectBenchmarks.linkCount,
            work: {
                var sum = 0
                for household in households { sum &+= household.head?.age ?? 0 }
                precondition(sum != 0)
            })
    }

    private var appends: Benchmark {
        Benchmark(
            "append 10,000 numbers to a list, roll back", weight: .heavy, rowCount: 10_000,
            work: {
                realm.beginWrite()
                let household = Household()
                realm.add(household)
                for number in 0..<10_000 { household.numbers.append(number) }
                realm.cancelWrite()
            })
    }

    private var oneProperty: Benchmark {
        let citizens = Array(realm.objects(Citizen.self).prefix(100))
        return Benchmark(
            "set one property and commit, 100 times", rowCount: 100,
            work: {
                for citizen in citizens { try realm.write { citizen.age &+= 1 } }
            })
    }
}
