# bench/sizes.sh -- read by others: flags at which a program of examples/epa does as many instructions as the literature has (level full).
size_of() {
	case $1 in
	quicksort)    echo -DPART=2 ;;
	pca)          echo -DCOLUMNS=7 ;;
	kmeans)       echo -DPOINTS=22 ;;
	blackscholes) echo -DOPTIONS=555 ;;
	swaptions)    echo -DTRIALS=24 ;;
	esac
}
