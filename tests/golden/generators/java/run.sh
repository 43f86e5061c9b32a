#!/bin/sh
# Builds the program of the Java libraries: run.sh ROOT. See ../README.md.
. "$(dirname "$0")/../common.sh"
language java Main.java Peer.java DataSketchesPeer.java GuavaPeer.java HadoopPeer.java SparkPeer.java pom.xml
need mvn javac java
if ! fresh; then
  rm -rf "$out/jars" "$out/classes"
  mvn --quiet --batch-mode -f "$here/pom.xml" dependency:copy -DoutputDirectory="$out/jars" > "$out/log" 2>&1 ||
    unreachable "the jars of pom.xml"
  javac -nowarn -d "$out/classes" -cp "$out/jars/*" "$here"/*.java >&2
  finished
fi
# Short runs: the first compiler alone, and no threads for the garbage of two thousand keys.
prefix java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp "$out/classes:$out/jars/*" Main
