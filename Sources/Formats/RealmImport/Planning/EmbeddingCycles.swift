import FirnValues
import RealmFile

/// The embedded classes whose objects can contain objects of the same class, even indirectly.
///
/// A database refuses them. Realm does too, except in files that no app made.
struct EmbeddingCycles {
    private var cyclic: Set<Int> = []

    init(_ classes: [RealmClass]) {
        let embedded = classes.map { $0.kind == .embedded }
        let targets = classes.map { realmClass in
            Set(realmClass.columns.compactMap(\.target).filter { embedded[$0] })
        }
        for start in classes.indices where embedded[start] {
            var reached: Set<Int> = []
            var open = Array(targets[start])
            while let next = open.popLast() {
                if reached.insert(next).inserted { open += targets[next] }
            }
            if reached.contains(start) { cyclic.insert(start) }
        }
    }

    func contains(_ index: Int) -> Bool { cyclic.contains(index) }
}
