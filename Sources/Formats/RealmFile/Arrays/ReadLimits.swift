/// Limits that no file of a released Realm reaches, so that damage cannot cost memory or time.
package enum ReadLimits {
    /// The elements of an array of integers: twice the elements of the longest leaf, and room for
    /// the columns and classes of any file.
    static let integersMax = 1 << 16
    /// The elements of a leaf or the children of an inner node; Realm writes at most 1,000.
    static let nodeElementsMax = 2048
    /// The objects of a leaf of objects; Realm writes at most 256.
    static let clusterObjectsMax = 1024
    /// The levels of a tree; 2^63 keys need 8.
    static let treeDepthMax = 10
    /// The levels of collections in collections; Realm allows 100.
    package static let nestingMax = 128
    /// The bytes of arrays that one scan may visit, for each byte of the file.
    ///
    /// A tree visits each array once. A damaged one that shares arrays could otherwise take a time
    /// that grows with any power of its size.
    static let visitedFactor: UInt64 = 4
    /// The elements that one scan may visit, for each byte of the file.
    ///
    /// A leaf of 8 bytes can have 1,000 elements that are all 0.
    static let elementsFactor: UInt64 = 128
    /// The amount that a scan may visit in any case.
    static let visitedMin: UInt64 = 1 << 20
}
