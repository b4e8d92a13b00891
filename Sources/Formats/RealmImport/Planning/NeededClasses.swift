import FirnValues
package import RealmFile

extension RealmImportPlan {
    /// Returns the classes that a query can touch, by their indices in the file.
    ///
    /// These are the classes that its text names, those that links lead to from them, and the owners of
    /// embedded objects. A property that may link to any class needs all of them.
    ///
    /// - Parameter texts: the query and all else that can name classes and properties.
    package func classes(neededBy texts: [String], of reader: RealmReader) -> Set<Int> {
        let all = Set(classes.indices)
        let words = texts.map { $0.lowercased() }
        // The classes that have a backlink need not be named.
        guard !words.contains(where: { $0.contains("@links") }) else { return all }
        var wanted = classes.indices.filter { index in
            guard let name = classes[index].name?.lowercased() else { return false }
            return words.contains { $0.contains(name) }
        }
        guard !wanted.isEmpty else { return all }
        var needed: Set<Int> = []
        while let index = wanted.popLast() {
            guard needed.insert(index).inserted else { continue }
            for column in reader.classes[index].columns {
                if column.type.tag == .any { return all }
                if let target = column.target { wanted.append(target) }
            }
            guard classes[index].isEmbedded else { continue }
            // The embedded objects of no owner are not in the database.
            wanted += reader.classes.indices.filter { owner in
                reader.classes[owner].columns.contains { $0.target == index }
            }
        }
        return needed
    }
}
