import Firn
import FirnPlatform
import Foundation

/// Benchmarks of the object API inside one process.
struct ObjectBenchmarks {
    private static let insertCount = 100_000
    private static let objectCount = 1_000_000
    private static let linkCount = 100_000

    private let folder: String
    private let realm: Realm

    /// - Parameter folder: for the databases; a folder in memory excludes the disk.
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

    /// The properties of the object that ``citizen(_:_:)`` makes.
    private static func fields(_ number: Int, _ names: [String]) -> [String: Any] {
        [
            "id": number, "name": names[number & 1023], "age": number % 90,
            "score": Double(number) / 4, "flag": number % 3 == 0,
            "when": Date(timeIntervalSince1970: Double(number) * 3600),
            "city": names[number & 15],
        ]
    }

    /// Removes the databases.
    func cleanUp() throws {
        try SystemServices.real.files.remove("\(folder)/objects.firn")
    }

    func benchmark(_ work: ObjectWork) -> Benchmark {
        switch work {
        case .add: insertion
        case .create: creation
        case .numbers: accessors
        case .strings: strings
        case .iterate: iteration
        case .filter: filter
        case .follow: links
        case .append: appends
        case .insert: listInsertions
        case .set: oneProperty
        }
    }

    private var insertion: Benchmark {
        let path = "\(folder)/inserted.firn"
        let names = (0..<1024).map { "name number \($0)" }
        return Benchmark(
            ObjectWork.add.title, weight: .heavy,
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

    private var creation: Benchmark {
        let path = "\(folder)/created.firn"
        let names = (0..<1024).map { "name number \($0)" }
        return Benchmark(
            ObjectWork.create.title, weight: .heavy, rowCount: ObjectBenchmarks.insertCount,
            cleanUp: { _ = try Realm.deleteFiles(for: ObjectBenchmarks.configuration(path)) },
            work: {
                let realm = try Realm(configuration: ObjectBenchmarks.configuration(path))
                try realm.write {
                    for number in 0..<ObjectBenchmarks.insertCount {
                        realm.create(
                            Citizen.self, value: ObjectBenchmarks.fields(number, names))
                    }
                }
            })
    }

    private var accessors: Benchmark {
        let citizens = Array(realm.objects(Citizen.self).prefix(1000))
        return Benchmark(
            ObjectWork.numbers.title, rowCount: 1_000_000,
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
            ObjectWork.strings.title, rowCount: 1_000_000,
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
            ObjectWork.iterate.title, weight: .heavy,
            rowCount: ObjectBenchmarks.objectCount,
            work: {
                var sum = 0
                for citizen in citizens { sum &+= citizen.age }
                precondition(sum != 0)
            })
    }

    private var filter: Benchmark {
        Benchmark(
            ObjectWork.filter.title, rowCount: ObjectBenchmarks.objectCount,
            work: {
                let found = realm.objects(Citizen.self).filter("age > 60 AND flag == true")
                precondition(found.count > 0)
            })
    }

    private var links: Benchmark {
        let households = Array(realm.objects(Household.self))
        return Benchmark(
            ObjectWork.follow.title, weight: .heavy,
            rowCount: ObjectBenchmarks.linkCount,
            work: {
                var sum = 0
                for household in households { sum &+= household.head?.age ?? 0 }
                precondition(sum != 0)
            })
    }

    private var appends: Benchmark {
        Benchmark(
            ObjectWork.append.title, weight: .heavy, rowCount: 10_000,
            work: {
                realm.beginWrite()
                let household = Household()
                realm.add(household)
                for number in 0..<10_000 { household.numbers.append(number) }
                realm.cancelWrite()
            })
    }

    private var listInsertions: Benchmark {
        Benchmark(
            ObjectWork.insert.title, weight: .heavy, rowCount: 10_000,
            work: {
                realm.beginWrite()
                let household = Household()
                realm.add(household)
                for number in 0..<10_000 { household.numbers.insert(number, at: number / 2) }
                realm.cancelWrite()
            })
    }

    private var oneProperty: Benchmark {
        let citizens = Array(realm.objects(Citizen.self).prefix(100))
        return Benchmark(
            ObjectWork.set.title, rowCount: 100,
            work: {
                for citizen in citizens { try realm.write { citizen.age &+= 1 } }
            })
    }
}
